import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { CLAIMS_ISSUER, getJwks } from '@bearing/contracts/identity/credentials/jwks'
import {
  createUser,
  addFirstAdmin,
  issueServiceClaims,
  whoAmI,
} from '@bearing/contracts/identity/people/user'
import { forSuite } from '@bearing/testing/for-suite'
import { describe, expect, it } from '@jest/globals'
import { SignJWT, UnsecuredJWT, createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose'
import { TestIdentity } from '../../testing/test-identity.js'

describe('signed claims', () => {
  const identity = forSuite(() => TestIdentity.connect())
  const admin = forSuite(() => identity.newAdmin())

  it('are verified with the published keys, say who it is, and end within a minute', async () => {
    const jwks = await identity.call(getJwks, {})
    const { payload, protectedHeader } = await jwtVerify(admin.claims, createLocalJWKSet(jwks), {
      issuer: CLAIMS_ISSUER,
      audience: 'identity',
    })
    expect(protectedHeader).toMatchObject({ alg: 'EdDSA', kid: jwks.keys[0]?.kid })
    expect(payload).toMatchObject({ sub: `user:${admin.id}`, cred: admin.id, principal: { kind: 'user' } })
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(60)
    expect(payload.jti).toMatch(/^[\w-]{22}$/)
  })

  it('the published keys have no private part', async () => {
    expect(JSON.stringify(await identity.call(getJwks, {}))).not.toContain('"d"')
  })

  it('name exactly the service that they were asked for, and of a user at most the organization of the request', async () => {
    const second = randomUUID()
    await identity.call(addFirstAdmin, { founded_organization_id: second }, admin.claims)
    const credential = { kind: 'user', email: admin.email, secret: admin.password } as const
    const jwks = createLocalJWKSet(await identity.call(getJwks, {}))
    for (const audience of ['identity', 'management', 'location', 'billing'])
      for (const organization_id of [admin.organizationId, second, randomUUID(), undefined]) {
        const scope = { audience, ...(organization_id !== undefined && { organization_id }) }
        const seen = await identity.introspect(credential, { ...scope, fresh: true })
        if (!seen.active) throw new Error('the user is not known')
        const { payload } = await jwtVerify(seen.claims ?? '', jwks)
        expect(payload.aud).toBe(audience)
        const { grants } = payload['principal'] as { grants: { organization_id: string }[] }
        const belongs = organization_id === admin.organizationId || organization_id === second
        expect(grants.map((grant) => grant.organization_id)).toEqual(belongs ? [organization_id] : [])
      }
    expect(await identity.introspect(credential)).not.toHaveProperty('claims')
  })

  it('are never the same twice', async () => {
    const credential = { kind: 'user', email: admin.email, secret: admin.password } as const
    const fresh = { fresh: true, audience: 'identity' }
    const made = await Promise.all([1, 2].map(() => identity.introspect(credential, fresh)))
    expect(new Set(made.map((outcome) => outcome.active && outcome.claims)).size).toBe(2)
  })

  it('say who the caller is', async () => {
    expect(await identity.call(whoAmI, {}, admin.claims)).toMatchObject({ kind: 'user', user_id: admin.id })
    const { claims } = await identity.call(issueServiceClaims, { name: 'gateway', audience: 'identity' })
    expect(await identity.call(whoAmI, {}, claims)).toEqual({ kind: 'service', name: 'gateway' })
  })

  it('are refused when they are missing, changed, unsigned, or signed by somebody else', async () => {
    const [header = '', payload = '', signature = ''] = admin.claims.split('.')
    const claims = decodeJwt(admin.claims)
    const raised = { ...claims, principal: { kind: 'service', name: 'operator' } }
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const { privateKey } = generateKeyPairSync('ed25519')
    const { kid = '' } = decodeProtectedHeader(admin.claims)
    const forge = (keyId: string) =>
      new SignJWT(raised).setProtectedHeader({ alg: 'EdDSA', kid: keyId }).sign(privateKey)
    const { keys } = await identity.call(getJwks, {})
    const publicKey = Buffer.from(keys[0]?.x ?? '', 'base64url')
    const forged = [
      `${header}.${encode(raised)}.${signature}`,
      // The first character: the last ones of base64url may say nothing that is read.
      `${header}.${payload}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`,
      `${header}.${payload}.`,
      new UnsecuredJWT(raised).encode(),
      `${encode({ alg: 'none', kid })}.${payload}.`,
      await forge(kid),
      await forge('another'),
      // The public key as a shared secret: a verifier that lets the token choose the algorithm falls for it.
      await new SignJWT(raised).setProtectedHeader({ alg: 'HS256', kid }).sign(publicKey),
      'nonsense',
    ]
    for (const text of forged)
      await expect(identity.call(createUser, { email: 'x@example.com', password: 'x'.repeat(12) }, text))
        .rejects // prettier-ignore
        .toMatchObject({ code: 'credential_invalid' })
    await expect(identity.call(whoAmI, {})).rejects.toMatchObject({ code: 'credential_missing' })
  })
})
