import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { formatToken, parseToken } from '@bearing/access/token-format'
import { TOKEN_PRESETS } from '@bearing/contracts/identity/tokens/token-presets'
import {
  createOrganizationToken,
  deleteOrganizationToken,
} from '@bearing/contracts/identity/tokens/organization-token'
import { createProjectKey } from '@bearing/contracts/identity/credentials/project-key'
import { cycleUserKey } from '@bearing/contracts/identity/people/user-key'
import { grantMembership } from '@bearing/contracts/identity/people/user'
import { eventually } from '@bearing/testing/eventually'
import { startStack, type Stack } from '@bearing/testing/stack'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { TestIdentity, type TestAdmin } from '../testing/test-identity.js'

describe('introspecting a credential', () => {
  const peppers = { new: randomBytes(32), old: randomBytes(32) }
  let stack: Stack
  let identity: TestIdentity
  let admin: TestAdmin

  beforeAll(async () => {
    const text = Object.entries(peppers).map(([id, key]) => `${id}:${key.toString('base64')}`)
    stack = await startStack({
      services: ['identity'],
      gateways: 0,
      environment: { identity: { IDENTITY_PEPPERS: text.join(',') } },
    })
    identity = await TestIdentity.connect(stack)
    admin = await identity.newAdmin()
  })

  afterAll(async () => {
    await identity.close()
    await stack.stop()
  })

  const newToken = (expiresAt?: string) =>
    identity.call(
      createOrganizationToken,
      { organization_id: admin.organizationId, description: 'CI', expires_at: expiresAt },
      admin.claims,
    )
  const ofToken = (token: string) =>
    identity.introspect({ kind: 'organization_token', token }, { fresh: true })
  const ofUser = (email: string, secret: string) =>
    identity.introspect({ kind: 'user', email, secret }, { fresh: true })
  const unknown = { active: false, reason: 'unknown' }
  const malformed = { active: false, reason: 'malformed' }

  describe('an organization token', () => {
    it('stands for its organization, with what a token can have', async () => {
      const { id, token } = await newToken()
      expect(await ofToken(token)).toMatchObject({
        active: true,
        principal: {
          kind: 'organization_token',
          credential_id: id,
          organization_id: admin.organizationId,
          permissions: TOKEN_PRESETS['project-manager'].permissions,
        },
      })
    })

    it('never has more than a token can have, whatever is stored', async () => {
      const { id, token } = await newToken()
      await identity.database.organizationToken.update({
        where: { id },
        data: { permissions: ['location:resolve', 'organization:delete', 'of-a-newer-version'] },
      })
      expect(await ofToken(token)).toMatchObject({ principal: { permissions: ['location:resolve'] } })
    })

    it('that is over is refused also where its pepper is gone, and one that is not is never called wrong', async () => {
      const past = new Date(Date.now() - 1_000)
      for (const [end, outcome] of [
        [{ deletedAt: past, deletedBy: admin.id }, unknown],
        [{ expiresAt: past }, unknown],
        [{}, undefined],
      ] as const) {
        const { id, token } = await newToken()
        await identity.database.organizationToken.update({
          where: { id },
          data: { pepperId: 'retired', ...end },
        })
        if (outcome) expect(await ofToken(token)).toEqual(outcome)
        else await expect(ofToken(token)).rejects.toMatchObject({ code: 'service_unavailable' })
      }
    })

    it('is refused with another secret under its id', async () => {
      const { id } = await newToken()
      const forged = formatToken({ kind: 'organization_token', id, secret: randomBytes(32) })
      expect(await ofToken(forged)).toEqual(unknown)
    })

    it('is refused under an id that nobody has', async () => {
      const made = formatToken({ kind: 'organization_token', id: randomUUID(), secret: randomBytes(32) })
      expect(await ofToken(made)).toEqual(unknown)
    })

    it('has expired for who holds it, and is unknown to who does not', async () => {
      const { id, token } = await newToken(new Date(Date.now() + 3_600_000).toISOString())
      await identity.database.organizationToken.update({
        where: { id },
        data: { expiresAt: new Date(Date.now() - 1) },
      })
      expect(await ofToken(token)).toEqual({ active: false, reason: 'expired' })
      const forged = formatToken({ kind: 'organization_token', id, secret: randomBytes(32) })
      expect(await ofToken(forged)).toEqual(unknown)
    })

    it('gives claims that end with it', async () => {
      const expiresAt = Math.floor(Date.now() / 1_000) + 20
      const { token } = await newToken(new Date(expiresAt * 1_000).toISOString())
      const scope = { audience: 'location' }
      expect(await identity.introspect({ kind: 'organization_token', token }, scope)).toMatchObject({
        claims_expire_at: expiresAt,
      })
    })

    it('is malformed when mistyped, and when it is a token of another kind', async () => {
      const { token } = await newToken()
      const { api_key: userKey } = await identity.call(cycleUserKey, {}, admin.claims)
      const last = token.endsWith('0') ? '1' : '0'
      for (const text of [`${token.slice(0, -1)}${last}`, token.toLowerCase(), `${token} `, 'x', userKey])
        expect(await ofToken(text)).toEqual(malformed)
    })

    it('still works when the pepper was rotated, and cannot be verified when its pepper is gone', async () => {
      const { id, token } = await newToken()
      const { secret } = parseToken(token) ?? { secret: randomBytes(32) }
      const under = (pepperId: string, key: Uint8Array) =>
        identity.database.organizationToken.update({
          where: { id },
          data: {
            pepperId,
            secretHash: new Uint8Array(
              createHmac('sha256', key).update(`organization_token\0${id}\0`).update(secret).digest(),
            ),
          },
        })
      expect(await identity.database.organizationToken.findUnique({ where: { id } })).toMatchObject({
        pepperId: 'new',
      })
      await under('old', peppers.old)
      expect(await ofToken(token)).toMatchObject({ active: true })
      await under('older', randomBytes(32))
      await expect(ofToken(token)).rejects.toMatchObject({ code: 'service_unavailable' })
    })
  })

  describe('a user', () => {
    it('is proven by API key, with the e-mail address in any case', async () => {
      const user = await identity.newUser()
      const { id, api_key: key } = await identity.call(cycleUserKey, {}, user.claims)
      expect(await ofUser(user.email.toUpperCase(), key)).toMatchObject({
        active: true,
        principal: { user_id: user.id, email: user.email, credential_id: id, proof: 'api_key', grants: [] },
      })
    })

    it("is not proven by somebody else's key", async () => {
      const { api_key: key } = await identity.call(cycleUserKey, {}, admin.claims)
      const other = await identity.newUser()
      expect(await ofUser(other.email, key)).toEqual(unknown)
      expect(await ofUser('nobody@example.com', key)).toEqual(unknown)
    })

    it('is proven by password, and by no other', async () => {
      const user = await identity.newUser()
      expect(await ofUser(user.email.toUpperCase(), user.password)).toMatchObject({
        principal: { user_id: user.id, credential_id: user.id, proof: 'password' },
      })
      expect(await ofUser(user.email, `${user.password}x`)).toEqual(unknown)
      expect(await ofUser('nobody@example.com', user.password)).toEqual(unknown)
    })

    it('without a password cannot log in with one', async () => {
      const user = await identity.newUser()
      await identity.database.user.update({ where: { id: user.id }, data: { passwordHash: null } })
      expect(await ofUser(user.email, user.password)).toEqual(unknown)
    })

    it('is never asked for a password that looks like a token', async () => {
      const { token } = await newToken()
      for (const secret of ['brgu_', 'brgo_something', token, `brgu_${'0'.repeat(71)}`])
        expect(await ofUser(admin.email, secret)).toEqual(malformed)
    })

    it.each(['nobody', 'a\0b@example.com', 'x'.repeat(254), "' OR 1=1 --@example.com"])(
      'cannot have the e-mail address %j',
      async (email) => {
        expect(await ofUser(email, 'some password')).toEqual(malformed)
      },
    )

    it('has all grants, with the roles in projects and the rule of single sign-on', async () => {
      const user = await identity.newUser()
      const [first, second] = [randomUUID(), randomUUID()].sort()
      const projects = [{ project_id: randomUUID(), role: 'reader' as const }]
      const grant = { user_id: user.id, role: 'member' as const }
      await identity.callAsOperator(grantMembership, { ...grant, organization_id: first ?? '', projects })
      await identity.callAsOperator(grantMembership, { ...grant, organization_id: second ?? '' })
      await identity.database.organizationRule.create({
        data: { organizationId: second ?? '', ssoRequired: true },
      })
      expect(await ofUser(user.email, user.password)).toMatchObject({
        principal: {
          grants: [
            { organization_id: first, role: 'member', projects, sso_required: false },
            { organization_id: second, role: 'member', projects: [], sso_required: true },
          ],
        },
      })
    })
  })

  it('a project key stands for its project', async () => {
    const project = { organization_id: admin.organizationId, project_id: randomUUID() }
    const { api_key: key } = await identity.call(createProjectKey, project, admin.claims)
    expect(await identity.introspect({ kind: 'project_key', key })).toMatchObject({
      active: true,
      principal: { kind: 'project_key', ...project },
    })
    expect(await identity.introspect({ kind: 'project_key', key: 'f'.repeat(32) })).toEqual(unknown)
    for (const text of [key.toUpperCase(), key.slice(1), `${key}0`, `${key.slice(1)} `])
      if (text !== key)
        expect(await identity.introspect({ kind: 'project_key', key: text })).toEqual(malformed)
  })

  it('a token that is deleted through one replica of identity is rejected by all replicas', async () => {
    await stack.addReplica('identity')
    const { id, token } = await newToken()
    const ask = () => identity.introspect({ kind: 'organization_token', token })
    const askAll = () => Promise.all(Array.from({ length: 20 }, ask))
    for (const outcome of await askAll()) expect(outcome).toMatchObject({ active: true })
    await identity.call(
      deleteOrganizationToken,
      { organization_id: admin.organizationId, organization_token_id: id },
      admin.claims,
    )
    expect(await ofToken(token)).toEqual(unknown)
    await eventually(async () => {
      for (const outcome of await askAll()) expect(outcome).toEqual(unknown)
    })
  })

  it('neither the database nor the log ever has a secret in plain', async () => {
    const user = await identity.newUser()
    const { api_key: key } = await identity.call(cycleUserKey, {}, user.claims)
    const { token } = await newToken()
    await Promise.all([ofUser(user.email, key), ofUser(user.email, user.password), ofToken(token)])
    await expect(identity.call(cycleUserKey, {}, `${user.claims}x`)).rejects.toThrow()

    const secretOf = (text: string) => Buffer.from(parseToken(text)?.secret ?? []).toString('hex')
    const tables = await identity.database.$queryRaw<{ name: string }[]>`
      SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'identity'
      AND table_name <> '_prisma_migrations'`
    const rows = await Promise.all(
      tables.map(({ name }) =>
        identity.database.$queryRawUnsafe(`SELECT to_jsonb(t)::text AS row FROM ${name} t`),
      ),
    )
    const dump = JSON.stringify(rows)
    expect(dump).toContain(user.email)
    await eventually(() => expect(stack.output()).toContain('identity.v1.user-key.cycle'))
    for (const place of [dump, stack.output()])
      for (const secret of [key, token, secretOf(key), secretOf(token), user.password, user.claims])
        expect(place).not.toContain(secret)
  })
})
