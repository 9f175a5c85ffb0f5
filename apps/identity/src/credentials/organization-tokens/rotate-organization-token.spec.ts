import { setTimeout as sleep } from 'node:timers/promises'
import {
  createOrganizationToken,
  deleteOrganizationToken,
  listOrganizationTokens,
  rotateOrganizationToken,
} from '@bearing/contracts/identity/tokens/organization-token'
import { inTime } from '@bearing/testing/in-time'
import { forSuite } from '@bearing/testing/for-suite'
import { describe, expect, it } from '@jest/globals'
import { TestIdentity, type TestAdmin } from '../../testing/test-identity.js'

const HOUR_MS = 3_600_000

describe('the rotation of an organization token', () => {
  const identity = forSuite(() => TestIdentity.connect())
  const admin = forSuite(() => identity.newAdmin())

  const create = (more: object = {}) =>
    identity.call(
      createOrganizationToken,
      { organization_id: admin.organizationId, description: 'CI', ...more },
      admin.claims,
    )
  const rotate = (id: string, grace_seconds = 0, by: TestAdmin = admin) =>
    identity.call(
      rotateOrganizationToken,
      { organization_id: by.organizationId, organization_token_id: id, grace_seconds },
      by.claims,
    )
  const introspect = (token: string) => identity.introspect({ kind: 'organization_token', token })
  const works = async (token: string) => (await introspect(token)).active

  it('makes a token that may do the same, and each of the two names the other', async () => {
    const before = await create({
      permissions: ['location:resolve'],
      allowed_addresses: ['192.0.2.0/24'],
    })
    const after = await rotate(before.id, 60)
    expect(after).toMatchObject({
      description: before.description,
      permissions: ['location:resolve'],
      allowed_addresses: ['192.0.2.0/24'],
      created_by: admin.id,
      replaces: before.id,
      replaced_by: null,
      replaced: { id: before.id, replaced_by: after.id, state: 'active' },
    })
    const { data } = await identity.call(
      listOrganizationTokens,
      { organization_id: admin.organizationId },
      admin.claims,
    )
    expect(data).toContainEqual(expect.objectContaining({ id: after.id, replaces: before.id }))
    expect(data).toContainEqual(expect.objectContaining({ id: before.id, replaced_by: after.id }))
    expect(JSON.stringify(data)).not.toContain(after.token)
  })

  it('lets the old token work during its grace and not after', async () => {
    const { before, after, worked, endsMs } = await inTime(async (grace) => {
      const before = await create()
      const after = await rotate(before.id, grace)
      const endsMs = Date.parse(after.replaced.expires_at ?? '')
      expect(endsMs - Date.parse(after.created_at)).toBe(grace * 1_000)
      return { before, after, worked: [await works(before.token), await works(after.token)], endsMs }
    })
    expect(worked).toEqual([true, true])
    await sleep(endsMs - Date.now() + 5)
    expect(await introspect(before.token)).toEqual({ active: false, reason: 'expired' })
    expect(await works(after.token)).toBe(true)
  })

  it('without a grace period ends the old token before the caller gets the new one', async () => {
    const before = await create()
    expect(await works(before.token)).toBe(true)
    const after = await rotate(before.id)
    expect([await works(before.token), await works(after.token)]).toEqual([false, true])
  })

  it.each([
    ['the grace is longer than what is left', HOUR_MS, 7 * 86_400],
    ['the grace is shorter than what is left', HOUR_MS, 60],
    ['there is no grace', HOUR_MS, 0],
    ['the token had no end', null, 60],
  ])('never extends an expiry: %s', async (_, leftMs, grace) => {
    const expires_at = leftMs === null ? undefined : new Date(Date.now() + leftMs).toISOString()
    const before = await create({ expires_at })
    const after = await rotate(before.id, grace)
    const graceEnd = Date.parse(after.created_at) + grace * 1_000
    const ownEnd = expires_at === undefined ? Infinity : Date.parse(expires_at)
    expect(Date.parse(after.replaced.expires_at ?? '')).toBe(Math.min(graceEnd, ownEnd))
    expect(after.expires_at).toBe(before.expires_at)
  })

  it('two concurrent rotations leave exactly one winner, and the other gets an error', async () => {
    const before = await create()
    const outcomes = await Promise.allSettled([rotate(before.id, 60), rotate(before.id, 60)])
    const won = outcomes.filter((outcome) => outcome.status === 'fulfilled')
    const lost = outcomes.filter((outcome) => outcome.status === 'rejected')
    expect(won).toHaveLength(1)
    expect(lost).toMatchObject([
      { reason: { code: 'organization_token_conflict', details: { reason: 'rotated' } } },
    ])
    const replaces = before.id
    expect(await identity.database.organizationToken.count({ where: { replaces } })).toBe(1)
  })

  it('is refused for a token that was rotated, has expired or was deleted', async () => {
    const [rotated, expired, deleted] = [await create(), await create(), await create()]
    await rotate(rotated.id, 60)
    await identity.call(
      deleteOrganizationToken,
      { organization_id: admin.organizationId, organization_token_id: deleted.id },
      admin.claims,
    )
    await identity.database.organizationToken.update({
      where: { id: expired.id },
      data: { expiresAt: new Date(Date.now() - 1) },
    })
    for (const [token, reason] of [
      [rotated, 'rotated'],
      [expired, 'expired'],
      [deleted, 'deleted'],
    ] as const)
      await expect(rotate(token.id, 60)).rejects.toMatchObject({
        code: 'organization_token_conflict',
        details: { reason },
      })
  })

  it("is for admins alone: neither a token nor another organization's admin can do it", async () => {
    const before = await create()
    const claims = await identity.claimsOf({ kind: 'organization_token', token: before.token })
    await expect(rotate(before.id, 0, { ...admin, claims })).rejects.toMatchObject({
      code: 'permission_denied',
    })
    await expect(rotate(before.id, 0, await identity.newAdmin())).rejects.toMatchObject({
      code: 'organization_token_not_found',
    })
    expect(await works(before.token)).toBe(true)
  })

  it('has a grace of at most seven days', async () => {
    const before = await create()
    for (const grace of [-1, 7 * 86_400 + 1, 0.5])
      await expect(rotate(before.id, grace)).rejects.toMatchObject({
        code: 'invalid_input',
        details: { errors: [{ pointer: '/grace_seconds' }] },
      })
  })

  it('is written down, for both tokens', async () => {
    const before = await create()
    const after = await rotate(before.id)
    const audited = await identity.database.auditEntry.findMany({
      where: { target: { in: [before.id, after.id].map((id) => `organization_token:${id}`) } },
      orderBy: { id: 'asc' },
    })
    expect(audited.map(({ action, target }) => [action, target])).toEqual([
      ['organization_token.created', `organization_token:${before.id}`],
      ['organization_token.rotated', `organization_token:${before.id}`],
      ['organization_token.created', `organization_token:${after.id}`],
    ])
  })
})
