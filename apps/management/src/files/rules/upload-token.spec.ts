import { randomBytes, randomUUID } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import { readUploadToken, writeUploadToken } from './upload-token.js'

const [key, older, unrelated] = [randomBytes(32), randomBytes(32), randomBytes(32)]
const ticket = { purpose: 'put', uploadId: randomUUID(), expiresMs: 1_800_000_000_000 } as const

describe('a token of an upload', () => {
  it('says what it was written for, and may stand in a URL', () => {
    const token = writeUploadToken(ticket, key)
    expect(token).toMatch(/^[\w-]{76}$/)
    expect(readUploadToken(token, 'put', [key])).toEqual(ticket)
  })

  it('is accepted under every key, and under no other', () => {
    const token = writeUploadToken(ticket, older)
    expect(readUploadToken(token, 'put', [key, older])).toEqual(ticket)
    expect(readUploadToken(token, 'put', [key, unrelated])).toBeUndefined()
  })

  it('is good for one purpose', () =>
    expect(readUploadToken(writeUploadToken(ticket, key), 'commit', [key])).toBeUndefined())

  it('has one spelling: with any character changed, cut off or added it is none', () => {
    const token = writeUploadToken(ticket, key)
    for (let at = 0; at < token.length; at++)
      for (const other of ['A', 'B', '_', '-', '=']) {
        if (other === token[at]) continue
        expect(
          readUploadToken(token.slice(0, at) + other + token.slice(at + 1), 'put', [key]),
        ).toBeUndefined()
      }
    for (const wrong of ['', token.slice(1), token.slice(0, -1), `${token}=`, `${token}A`, ` ${token}`])
      expect(readUploadToken(wrong, 'put', [key])).toBeUndefined()
  })
})
