import { randomBytes } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import type { NamedKey } from '../ground/named-keys.js'
import { SecretBox, UnknownKeyError } from './secret-box.js'

const key = (id: string): NamedKey => ({ id, key: randomBytes(32) })

describe('secrets that are read again', () => {
  const old = key('old')
  const current = key('new')
  const boxes = new SecretBox([current, old], randomBytes)
  const secret = new TextEncoder().encode('the mail with the link')

  it('are read under their own purpose and subject only', () => {
    const sealed = boxes.seal('mail', 'row 1', secret)
    expect(boxes.open('mail', 'row 1', sealed)).toEqual(secret)
    expect(() => boxes.open('mail', 'row 2', sealed)).toThrow('authenticate')
    expect(() => boxes.open('totp', 'row 1', sealed)).toThrow('authenticate')
  })

  it('cannot be found in their box, and never look the same twice', () => {
    const { box } = boxes.seal('mail', 'row 1', secret)
    expect(Buffer.from(box).includes(Buffer.from(secret))).toBe(false)
    expect(box).not.toEqual(boxes.seal('mail', 'row 1', secret).box)
  })

  it('are refused where a bit of the box was changed, or bytes are missing', () => {
    const { box, keyId } = boxes.seal('mail', 'row 1', secret)
    for (const at of [0, 12, box.length - 1]) {
      const changed = box.map((byte, index) => (index === at ? byte ^ 1 : byte))
      expect(() => boxes.open('mail', 'row 1', { box: changed, keyId })).toThrow('authenticate')
    }
    expect(() => boxes.open('mail', 'row 1', { box: box.subarray(0, 27), keyId })).toThrow('too short')
  })

  it('of an older key are still read, and new ones are made with the first', () => {
    const sealed = new SecretBox([old], randomBytes).seal('mail', 'row 1', secret)
    expect(boxes.open('mail', 'row 1', sealed)).toEqual(secret)
    expect(boxes.seal('mail', 'row 1', secret).keyId).toBe('new')
  })

  it('cannot be read without their key, which is reported as such', () => {
    const sealed = new SecretBox([old], randomBytes).seal('mail', 'row 1', secret)
    expect(() => new SecretBox([current], randomBytes).open('mail', 'row 1', sealed)).toThrow(UnknownKeyError)
  })
})
