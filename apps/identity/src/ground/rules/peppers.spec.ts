import { randomBytes, randomUUID } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import { Peppers, UnknownPepperError, type Pepper } from './peppers.js'

const pepper = (id: string): Pepper => ({ id, key: randomBytes(32) })
const token = () => ({ kind: 'organization_token', id: randomUUID(), secret: randomBytes(32) }) as const

describe('secrets under a pepper', () => {
  const old = pepper('old')
  const current = pepper('new')

  it('only the token itself matches what was stored of it', () => {
    const peppers = new Peppers([current])
    const own = token()
    const stored = peppers.hash(own)
    expect(peppers.verify(own, stored)).toBe(true)
    expect(peppers.verify({ ...own, secret: randomBytes(32) }, stored)).toBe(false)
    expect(peppers.verify(own, undefined)).toBe(false)
  })

  it('a hash is of no use under another id or for another kind', () => {
    const peppers = new Peppers([current])
    const own = token()
    const stored = peppers.hash(own)
    expect(peppers.verify({ ...own, id: randomUUID() }, stored)).toBe(false)
    expect(peppers.verify({ ...own, kind: 'user_key' }, stored)).toBe(false)
  })

  it('what was stored under an older pepper still matches, and new secrets get the first one', () => {
    const own = token()
    const stored = new Peppers([old]).hash(own)
    const rotated = new Peppers([current, old])
    expect(rotated.verify(own, stored)).toBe(true)
    expect(rotated.hash(token()).pepperId).toBe('new')
  })

  it('a secret cannot be verified without its pepper', () => {
    const own = token()
    const stored = new Peppers([old]).hash(own)
    expect(() => new Peppers([current]).verify(own, stored)).toThrow(UnknownPepperError)
  })
})
