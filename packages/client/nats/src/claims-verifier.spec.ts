import { generateKeyPairSync, randomUUID, type KeyObject } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import { SignJWT } from 'jose'
import { ClaimsVerifier } from './claims-verifier.js'

const NOW_MS = Date.parse('2026-01-01T00:00:00Z')
const ID = '00000000-0000-7000-8000-000000000001'
const principal = {
  kind: 'organization_token',
  credential_id: ID,
  organization_id: ID,
  description: '',
  permissions: ['project:list'],
  expires_at: null,
}

/** An identity with keys of its own, which can be changed. */
function setUp() {
  const keys = new Map<string, KeyObject>()
  const state = { nowMs: NOW_MS, asked: 0, down: false }
  const addKey = (kid: string) => keys.set(kid, generateKeyPairSync('ed25519').privateKey)
  addKey('one')
  const jwks = () => {
    state.asked++
    if (state.down) return Promise.reject(new Error('identity is down'))
    return Promise.resolve({
      keys: [...keys].map(([kid, key]) => {
        const { x = '' } = key.export({ format: 'jwk' })
        return { kty: 'OKP', crv: 'Ed25519', x, kid, alg: 'EdDSA', use: 'sig' } as const
      }),
    })
  }
  const claimsVerifier = new ClaimsVerifier(jwks, () => state.nowMs)
  const verifier = {
    verify: (claims: string, audiences = ['location']) => claimsVerifier.verify(claims, audiences),
  }
  const sign = (
    key: KeyObject | undefined,
    kid = 'one',
    changes: Record<string, unknown> = {},
    audience: string | string[] = 'location',
  ) => {
    if (!key) throw new Error('the test has no such key')
    const now = Math.floor(state.nowMs / 1_000)
    return new SignJWT({ principal, ...changes })
      .setProtectedHeader({ alg: 'EdDSA', kid })
      .setIssuer('bearing-identity')
      .setAudience(audience)
      .setSubject('organization_token:1')
      .setIssuedAt(now)
      .setExpirationTime(now + 60)
      .setJti(randomUUID())
      .sign(key)
  }
  return { keys, addKey, state, verifier, sign }
}

describe('claims', () => {
  it('hold where identity has signed them, and are verified once', async () => {
    const { keys, verifier, sign, state } = setUp()
    const claims = await sign(keys.get('one'))
    expect(await verifier.verify(claims)).toEqual(principal)
    expect(await verifier.verify(claims)).toEqual(principal)
    expect(state.asked).toBe(1)
  })

  it('are refused by every service but the one that they were made for, also while they are cached', async () => {
    const { keys, verifier, sign } = setUp()
    const services = ['identity', 'management', 'location', 'billing']
    for (const audience of services) {
      const claims = await sign(keys.get('one'), 'one', {}, audience)
      for (const service of [...services, ...services])
        if (service === audience) expect(await verifier.verify(claims, [service])).toEqual(principal)
        else
          await expect(verifier.verify(claims, [service])).rejects.toMatchObject({
            code: 'credential_invalid',
          })
    }
  })

  it('are refused if they name several services, or the one audience of older versions', async () => {
    const { keys, verifier, sign } = setUp()
    for (const audience of [['location', 'management'], ['location'], 'bearing'])
      await expect(verifier.verify(await sign(keys.get('one'), 'one', {}, audience))).rejects.toMatchObject({
        code: 'credential_invalid',
      })
  })

  it('are refused once they have expired, even if they are cached', async () => {
    const { keys, verifier, sign, state } = setUp()
    const claims = await sign(keys.get('one'))
    await verifier.verify(claims)
    state.nowMs += 66_000
    await expect(verifier.verify(claims)).rejects.toMatchObject({ code: 'credential_invalid' })
  })

  it('do not hold where they were signed with another key under a known id', async () => {
    const { verifier, sign } = setUp()
    await expect(
      verifier.verify(await sign(generateKeyPairSync('ed25519').privateKey)),
    ).rejects.toMatchObject({
      code: 'credential_invalid',
    })
  })

  it.each([
    ['alg none', 'eyJhbGciOiJub25lIiwia2lkIjoib25lIn0.e30.'],
    ['no JWT', 'nothing'],
    ['an empty text', ''],
  ])('do not hold as %s', async (_, claims) => {
    await expect(setUp().verifier.verify(claims)).rejects.toMatchObject({ code: 'credential_invalid' })
  })

  it('do not hold any more within two minutes after their key was withdrawn', async () => {
    const { keys, addKey, verifier, sign, state } = setUp()
    const one = keys.get('one')
    await verifier.verify(await sign(one))
    keys.delete('one')
    addKey('two')
    state.nowMs += 61_000
    await verifier.verify(await sign(one)) // the old keys do while the new ones are asked for
    let refused: unknown
    while (refused === undefined)
      refused = await verifier.verify(await sign(one)).then(
        () => undefined,
        (error: unknown) => error,
      )
    expect(refused).toMatchObject({ code: 'credential_invalid' })
  })

  it('stay valid while identity is down', async () => {
    const { keys, verifier, sign, state } = setUp()
    await verifier.verify(await sign(keys.get('one')))
    state.down = true
    state.nowMs += 3_600_000
    expect(await verifier.verify(await sign(keys.get('one')))).toEqual(principal)
  })

  it('are a 503, not invalid, if the keys were never fetched', async () => {
    const { keys, verifier, sign, state } = setUp()
    state.down = true
    await expect(verifier.verify(await sign(keys.get('one')))).rejects.toThrow('identity is down')
  })

  it('with unknown key ids do not make identity be asked without end', async () => {
    const { verifier, sign, state } = setUp()
    const { privateKey } = generateKeyPairSync('ed25519')
    for (let i = 0; i < 50; i++)
      await expect(verifier.verify(await sign(privateKey, `kid-${String(i)}`))).rejects.toMatchObject({
        code: 'credential_invalid',
      })
    expect(state.asked).toBe(1)
  })

  it('of a newer version are read without what this one does not know', async () => {
    const { keys, verifier, sign } = setUp()
    const newer = { ...principal, permissions: ['project:list', 'project:fly'], color: 'blue' }
    expect(await verifier.verify(await sign(keys.get('one'), 'one', { principal: newer }))).toEqual(principal)
    const user = {
      kind: 'user',
      user_id: ID,
      email: 'a@example.com',
      credential_id: ID,
      proof: 'api_key',
      grants: [
        { organization_id: ID, role: 'emperor', projects: [], sso_required: false },
        {
          organization_id: ID,
          role: 'member',
          projects: [{ project_id: ID, role: 'pilot' }],
          sso_required: false,
        },
      ],
    }
    expect(await verifier.verify(await sign(keys.get('one'), 'one', { principal: user }))).toMatchObject({
      grants: [{ role: 'member', projects: [] }],
    })
  })

  it('about a kind of principal that only a newer version knows are a 503, not invalid', async () => {
    const { keys, verifier, sign } = setUp()
    const claims = await sign(keys.get('one'), 'one', { principal: { ...principal, kind: 'satellite' } })
    await expect(verifier.verify(claims)).rejects.toMatchObject({ code: 'service_unavailable' })
    await expect(verifier.verify(claims, ['management'])).rejects.toMatchObject({ status: 503 })
  })
})
