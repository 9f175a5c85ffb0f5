import { DAY_MS } from '@bearing/contracts/durations'
import {
  createOrganizationToken,
  listOrganizationTokens,
  rotateOrganizationToken,
} from '@bearing/contracts/identity/tokens/organization-token'
import {
  changeOrganizationTokenPolicy,
  showOrganizationTokenPolicy,
} from '@bearing/contracts/identity/tokens/organization-token-policy'
import { forSuite } from '@bearing/testing/for-suite'
import { beforeEach, describe, expect, it } from '@jest/globals'
import { TestIdentity, type TestAdmin } from '../../testing/test-identity.js'

describe('the policy of organization tokens', () => {
  const identity = forSuite(() => TestIdentity.connect())
  let admin: TestAdmin

  beforeEach(async () => {
    admin = await identity.newAdmin()
  })

  const scope = () => ({ organization_id: admin.organizationId })
  const create = (more: object = {}) =>
    identity.call(createOrganizationToken, { ...scope(), description: 'CI', ...more }, admin.claims)
  const set = (max_lifetime_days: number | null) =>
    identity.call(changeOrganizationTokenPolicy, { ...scope(), max_lifetime_days }, admin.claims)
  const show = () => identity.call(showOrganizationTokenPolicy, scope(), admin.claims)
  const lifeMs = ({ created_at, expires_at }: { created_at: string; expires_at: string | null }) =>
    Date.parse(expires_at ?? '') - Date.parse(created_at)

  it('allows any life until it is set, and again when it is taken back; a token without a choice lives for a year', async () => {
    expect(await show()).toEqual({
      ...{ max_lifetime_days: null, when_leaked: 'revoke' },
      ...{ administration: 'allow', administration_max_lifetime_days: 90 },
    })
    expect((await create({ expires_at: null })).expires_at).toBeNull()
    await set(30)
    expect(await show()).toMatchObject({ max_lifetime_days: 30 })
    await set(null)
    expect((await create({ expires_at: null })).expires_at).toBeNull()
    expect(lifeMs(await create())).toBe(365 * DAY_MS)
  })

  it('bounds the life of tokens that are created or rotated, and leaves those there are untouched', async () => {
    const before = await create({ expires_at: null })
    await set(30)
    const { data } = await identity.call(listOrganizationTokens, scope(), admin.claims)
    expect(data).toMatchObject([{ id: before.id, expires_at: null }])
    expect(lifeMs(await create())).toBe(30 * DAY_MS)
    const late = new Date(Date.now() + 31 * DAY_MS).toISOString()
    expect(lifeMs(await create({ expires_at: late }))).toBe(30 * DAY_MS)
    const soon = new Date(Date.now() + DAY_MS).toISOString()
    expect((await create({ expires_at: soon })).expires_at).toBe(soon)
    const rotated = await identity.call(
      rotateOrganizationToken,
      { ...scope(), organization_token_id: before.id, grace_seconds: 60 },
      admin.claims,
    )
    expect(lifeMs(rotated)).toBe(30 * DAY_MS)
  })

  it('is 1 to 3650 whole days', async () => {
    for (const days of [0, -1, 3651, 1.5])
      await expect(set(days)).rejects.toMatchObject({
        code: 'invalid_input',
        details: { errors: [{ pointer: '/max_lifetime_days' }] },
      })
    for (const days of [1, 3650]) expect(await set(days)).toMatchObject({ max_lifetime_days: days })
  })

  it('leaves what else the organization demands as it is, and its change is written down', async () => {
    const { organizationId } = admin
    await set(7)
    expect(await identity.database.organizationRule.findUnique({ where: { organizationId } })).toMatchObject({
      ssoRequired: false,
      maxTokenLifetimeDays: 7,
    })
    expect(
      await identity.database.auditEntry.findMany({ where: { target: `organization:${organizationId}` } }),
    ).toContainEqual(
      expect.objectContaining({ action: 'organization_token_policy.changed', actorUserId: admin.id }),
    )
  })
})
