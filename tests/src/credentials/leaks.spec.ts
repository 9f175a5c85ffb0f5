import { randomBytes, randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { formatToken } from '@bearing/access/token-format'
import { connectTo } from '@bearing/testing/connect-to'
import { eventually } from '@bearing/testing/eventually'
import { newOrganization, newToken } from '@bearing/testing/factories'
import { testStack } from '@bearing/testing/stack'
import { forSuite } from '@bearing/testing/for-suite'
import { describe, expect, it } from '@jest/globals'
import { auditedIn } from '../tools/audited.js'
import { send } from '../tools/http.js'
import { ROOT } from '../tools/root.js'

describe('reporting a leaked secret', () => {
  const own = forSuite(() => newOrganization())
  const gateways = () => testStack().gatewayUrls

  async function report(secret: string, more: object = {}) {
    const reply = await send(gateways()[0] ?? '', 'POST', '/leaks', { body: { secret, ...more } })
    return reply.status === 200 ? (reply.json?.data as { outcome: string }).outcome : reply.json?.code
  }
  const worksAt = async (gateway: string, token: string) =>
    (await send(gateway, 'GET', '/auth/me', { credential: { kind: 'organization_token', token } })).status

  it('revokes an organization token at every gateway, without a credential, and writes it down', async () => {
    const { id, token } = await newToken(own)
    for (const gateway of gateways()) expect(await worksAt(gateway, token)).toBe(200)
    expect(await report(token, { found_at: 'https://example.com/commit/1' })).toBe('revoked')
    await eventually(async () => {
      for (const gateway of gateways()) expect(await worksAt(gateway, token)).toBe(401)
    })
    const { data } = await own.admin.client.call('listOrganizationTokens', { organization: own.slug })
    const listed = data.find((candidate) => candidate.id === id)
    expect(listed).toMatchObject({ state: 'deleted' })
    expect(listed?.leaked_at).toBe(listed?.deleted_at)
    const row = (await auditedIn('identity', own)).find(
      ({ action }) => action === 'organization_token.leaked',
    )
    expect(row).toMatchObject({
      target: `organization_token:${id}`,
      actor_kind: 'anonymous',
      details: { outcome: 'revoked', found_at: 'https://example.com/commit/1' },
    })
  })

  it('ends a token for which an admin then makes a successor, once; the leaked one stays refused', async () => {
    const { id, token } = await newToken(own)
    expect(await report(token)).toBe('revoked')
    const rotate = () =>
      own.admin.client.call('rotateOrganizationToken', {
        ...{ organization: own.slug, organization_token_id: id, grace_seconds: 3_600 },
      })
    const successor = await rotate()
    expect(successor).toMatchObject({ state: 'active', replaces: id, replaced: { id, state: 'deleted' } })
    for (const gateway of gateways()) {
      await eventually(async () => {
        expect(await worksAt(gateway, successor.token)).toBe(200)
      })
      expect(await worksAt(gateway, token)).toBe(401)
    }
    await expect(rotate()).rejects.toMatchObject({ code: 'organization_token_conflict' })
    // A token that an admin has deleted has ended permanently.
    const deleted = await newToken(own)
    await own.admin.client.call('deleteOrganizationToken', {
      ...{ organization: own.slug, organization_token_id: deleted.id },
    })
    expect(await report(deleted.token)).toBe('inactive')
    await expect(
      own.admin.client.call('rotateOrganizationToken', {
        ...{ organization: own.slug, organization_token_id: deleted.id },
      }),
    ).rejects.toMatchObject({ code: 'organization_token_conflict' })
  })

  it('with a wrong secret waits for nobody who changes the token', async () => {
    const { id } = await newToken(own)
    const wrong = formatToken({ kind: 'organization_token', id, secret: new Uint8Array(randomBytes(32)) })
    await using client = await connectTo(testStack().databaseUrls.identity)
    await client.query('BEGIN')
    await client.query('SELECT 1 FROM organization_tokens WHERE id = $1 FOR UPDATE', [id])
    expect(await report(wrong)).toBe('unknown')
  })

  it('only marks the token of an organization that wants it so, and once', async () => {
    const organization = await newOrganization()
    await organization.admin.client.call('changeOrganizationTokenPolicy', {
      organization: organization.slug,
      max_lifetime_days: null,
      when_leaked: 'flag',
    })
    const { token } = await newToken(organization)
    expect([await report(token), await report(token)]).toEqual(['flagged', 'flagged'])
    expect(await worksAt(gateways()[0] ?? '', token)).toBe(200)
    const leaked = (await auditedIn('identity', organization)).filter(({ action }) =>
      action.endsWith('leaked'),
    )
    expect(leaked).toHaveLength(1)
  })

  it('revokes a user API key, whatever the organizations want', async () => {
    const { admin } = await newOrganization()
    expect(await report(admin.apiKey)).toBe('revoked')
    expect(await report(admin.apiKey)).toBe('unknown')
    const credential = { kind: 'user', email: admin.email, secret: admin.apiKey } as const
    await eventually(async () => {
      expect((await send(gateways()[0] ?? '', 'GET', '/auth/me', { credential })).status).toBe(401)
    })
  })

  it('says no more of what is unknown than that, and never tries it as a password', async () => {
    const { token } = await newToken(own)
    const other = await newToken(own)
    const mixed = token.slice(0, 27) + other.token.slice(27)
    for (const secret of ['hunter2', own.admin.password, mixed, token.slice(0, -1)])
      expect(await report(secret)).toBe('unknown')
    expect(await worksAt(gateways()[0] ?? '', token)).toBe(200)
  })

  it('says of a deleted token that it is inactive, and concurrent reports revoke once', async () => {
    const { token } = await newToken(own)
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => report(token)))
    expect(outcomes.sort()).toEqual(['inactive', 'inactive', 'inactive', 'inactive', 'revoked'])
  })

  it('refuses a finding place that holds a secret, since that would be stored', async () => {
    const { token } = await newToken(own)
    expect(await report(token, { found_at: `https://example.com/?token=${token}` })).toBe('invalid_input')
    expect(await worksAt(gateways()[0] ?? '', token)).toBe(200)
  })
})

describe('the published form of secrets', () => {
  it('finds every secret that Bearing makes, and its checksum rule excludes texts that only look like one', async () => {
    const page = await readFile(join(ROOT, 'docs', 'rotate-secrets.md'), 'utf8')
    const [, published = ''] = /onboarding tokens with `([^`]+)`/.exec(page) ?? []
    for (const kind of ['organization_token', 'user_key', 'onboarding_token'] as const) {
      const secret = formatToken({ kind, id: randomUUID(), secret: randomBytes(32) })
      expect(new RegExp(published).exec(`key = "${secret}";`)?.[0]).toBe(secret)
      expect(hasChecksum(secret)).toBe(true)
      expect(hasChecksum(secret.slice(0, -1) + (secret.endsWith('0') ? '1' : '0'))).toBe(false)
    }
  })

  /** As the page describes it, without the code of Bearing. */
  function hasChecksum(text: string): boolean {
    const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
    const checksum = Array.from(text.slice(-6)).reduce((sum, digit) => sum * 62 + digits.indexOf(digit), 0)
    return checksum === crc32(text.slice(0, -6))
  }
})
