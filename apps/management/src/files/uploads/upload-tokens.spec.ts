import { randomBytes } from 'node:crypto'
import { Clock } from '@bearing/service/ground/clock'
import { describe, expect, it } from '@jest/globals'
import { writeUploadToken } from '../rules/upload-token.js'
import { UploadTokens } from './upload-tokens.js'

const key = (id: string) => ({ id, key: randomBytes(32) })
const ID = '01910000-0000-7000-8000-000000000000'

describe('tokens of uploads', () => {
  const [old, next, other] = [key('1'), key('2'), key('3')]
  const token = new UploadTokens([old], new Clock(Date.now)).forCommit(ID)

  it('are accepted under every key of management, and under no other', () => {
    expect(new UploadTokens([next, old], new Clock(Date.now)).readCommit(token)).toBe(ID)
    expect(new UploadTokens([next, other], new Clock(Date.now)).readCommit(token)).toBeUndefined()
  })

  it('are not signed with the key itself, which seals secrets', () => {
    const forged = writeUploadToken(
      { purpose: 'commit', uploadId: ID, expiresMs: Date.now() + 60_000 },
      old.key,
    )
    expect(new UploadTokens([old], new Clock(Date.now)).readCommit(forged)).toBeUndefined()
  })
})
