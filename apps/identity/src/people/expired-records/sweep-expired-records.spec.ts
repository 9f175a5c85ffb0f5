import { randomBytes, randomUUID } from 'node:crypto'
import { Clock } from '@bearing/service/ground/clock'
import { createLogger } from '@bearing/service/observe/logger'
import { forSuite } from '@bearing/testing/for-suite'
import { describe, expect, it } from '@jest/globals'
import { TestIdentity } from '../../testing/test-identity.js'
import { SweepExpiredRecords } from './sweep-expired-records.js'

const HOUR_MS = 3_600_000

describe('expired records', () => {
  const identity = forSuite(() => TestIdentity.connect())
  const sweep = forSuite(
    () => new SweepExpiredRecords(identity.database, new Clock(Date.now), createLogger('test', 'fatal')),
  )

  const hoursAgo = (hours: number) => new Date(Date.now() - hours * HOUR_MS)

  it('goes also where nobody comes back: sessions, whose users have not signed in again', async () => {
    const { id: userId } = await identity.newUser()
    const newSession = async (endsAt: Date) => {
      const id = randomUUID()
      const [createdAt, lastSeenAt] = [hoursAgo(200), hoursAgo(1)]
      const secretHash = new Uint8Array(randomBytes(32))
      const row = { id, userId, secretHash, pepperId: 'x', createdAt, lastSeenAt, endsAt, methods: ['pwd'] }
      await identity.database.session.create({ data: row })
      return id
    }
    await newSession(hoursAgo(25))
    const kept = [await newSession(hoursAgo(23)), await newSession(hoursAgo(-1))]
    await sweep.sweep()
    const rows = await identity.database.session.findMany({ where: { userId } })
    expect(rows.map(({ id }) => id).sort()).toEqual(kept.sort())
  })

  it('goes also where nobody comes back: logins of command lines, once they have expired', async () => {
    const newLogin = async (expiresAt: Date) => {
      const id = randomUUID()
      const codeHash = new Uint8Array(randomBytes(32))
      const row = { id, codeHash, userCode: id, host: 'x', createdAt: hoursAgo(1), expiresAt, intervalS: 5 }
      await identity.database.loginRequest.create({ data: row })
      return id
    }
    const [expired, kept] = [await newLogin(hoursAgo(0.1)), await newLogin(hoursAgo(-0.1))]
    await sweep.sweep()
    const rows = await identity.database.loginRequest.findMany({ where: { id: { in: [expired, kept] } } })
    expect(rows.map(({ id }) => id)).toEqual([kept])
    await identity.database.loginRequest.delete({ where: { id: kept } })
  })

  it('goes also where nobody comes back: authenticators that were not confirmed in a day', async () => {
    const newTotp = async (createdAt: Date, confirmedAt: Date | null) => {
      const { id: userId } = await identity.newUser()
      const row = { userId, secretBox: new Uint8Array(64), pepperId: 'x', createdAt, confirmedAt }
      await identity.database.totp.create({ data: row })
      return userId
    }
    const expired = await newTotp(hoursAgo(25), null)
    const kept = [await newTotp(hoursAgo(23), null), await newTotp(hoursAgo(25), hoursAgo(25))]
    await sweep.sweep()
    const rows = await identity.database.totp.findMany({ where: { userId: { in: [expired, ...kept] } } })
    expect(rows.map(({ userId }) => userId).sort()).toEqual(kept.sort())
    await identity.database.totp.deleteMany({ where: { userId: { in: kept } } })
  })
})
