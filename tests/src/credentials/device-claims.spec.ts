import { generateKeyPairSync, randomUUID, type KeyObject } from 'node:crypto'
import type { DeviceClaims } from '@bearing/contracts/identity/credentials/project-settings'
import { eventually } from '@bearing/testing/eventually'
import { newOrganization, type TestProject } from '@bearing/testing/factories'
import { testStack } from '@bearing/testing/stack'
import { forSuite } from '@bearing/testing/for-suite'
import { describe, expect, it } from '@jest/globals'
import { SignJWT } from 'jose'
import { queryIdentity } from '../tools/audited.js'
import { newIdentityProject, seconds } from '../tools/device-signer.js'
import { send, type Reply } from '../tools/http.js'

interface Keys {
  readonly publicKey: KeyObject
  readonly privateKey: KeyObject
}

const newKeys = (): Keys => generateKeyPairSync('ec', { namedCurve: 'P-256' })
const newSerial = () => `CLAIM-${randomUUID()}`

describe('a device that claims its serial number with the project key', () => {
  const own = forSuite(() => newOrganization())

  const at = ({ slug }: TestProject) => ({ organization: own.slug, project: slug })
  const newProject = async (device_claims: DeviceClaims) => {
    const project = await newIdentityProject(own)
    const settings = { ...at(project), project_key_may_locate: false, device_claims }
    await own.admin.client.call('changeProjectSettings', settings)
    return project
  }
  const newToken = (project: TestProject, more: { max_uses?: number; expires_at?: string } = {}) =>
    own.token.client.call('createOnboardingToken', {
      ...{ ...at(project), name: 'Line 3', expires_at: new Date(Date.now() + 3_600_000).toISOString() },
      ...more,
    })
  const proofOf = (keys: Keys, claims: Readonly<Record<string, unknown>>) =>
    new SignJWT(JSON.parse(JSON.stringify({ exp: seconds() + 600, ...claims })) as Record<string, unknown>)
      .setProtectedHeader({ alg: 'ES256' })
      .sign(keys.privateKey)

  interface Claim {
    readonly serial?: string
    readonly keys?: Keys
    readonly claims?: Readonly<Record<string, unknown>>
    readonly body?: object
  }

  const claim = async (
    project: TestProject,
    { serial = newSerial(), keys = newKeys(), claims, body }: Claim = {},
    gateway = 0,
  ): Promise<Reply> =>
    send(testStack().gatewayUrls[gateway] ?? '', 'POST', '/api/v0/device-claims', {
      headers: { 'service-project-key': project.key },
      body: {
        device_serial: serial,
        public_key: keys.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
        proof: await proofOf(keys, { sub: serial, aud: `claim:${project.key}`, ...claims }),
        firmware: 'an unknown member',
        ...body,
      },
    })
  const outcome = ({ status, json }: Reply) =>
    [status, json?.code ?? (json?.data as { status?: string } | undefined)?.status] as const
  const ok = [200, 'registered']
  const refused = [403, 'device_claim_refused']
  const conflict = [409, 'device_claim_conflict']
  /** Sends both claims at the same time, to two gateways. */
  const race = async (project: TestProject, claims: readonly Claim[]) =>
    (await Promise.all(claims.map((one, number) => claim(project, one, number % 2)))).map(outcome).sort()
  const chunk = async (keys: Keys, serial: string, kid: string) => {
    const token = await new SignJWT({ sub: serial, exp: seconds() + 600 })
      .setProtectedHeader({ alg: 'ES256', kid })
      .sign(keys.privateKey)
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' }
    const url = testStack().gatewayUrls[0] ?? ''
    return (await send(url, 'POST', `/api/v0/chunks/${serial}`, { headers, body: 'chunk' })).status
  }
  const settle = (project: TestProject, call: 'approveDeviceClaim' | 'rejectDeviceClaim', id: string) =>
    own.token.client.call(call, { ...at(project), device_claim_id: id })
  const waiting = async (project: TestProject) =>
    (await own.token.client.call('listDeviceClaims', at(project))).data

  it('is registered if the policy is open, also where the project key alone is refused, and sends data then', async () => {
    const project = await newProject('open')
    const settings = { ...at(project), project_key_may_locate: false, device_identity: 'required' } as const
    await own.admin.client.call('changeProjectSettings', settings)
    const device = { serial: newSerial(), keys: newKeys() }
    const reply = await claim(project, device)
    expect(outcome(reply)).toEqual(ok)
    const { thumbprint } = reply.json?.data as { thumbprint: string }
    expect(await chunk(device.keys, device.serial, thumbprint)).toBe(202)
    const where = `WHERE action = 'device_key.claimed' AND target = 'device:' || $1`
    expect(await queryIdentity(`SELECT actor_kind FROM audit_log ${where}`, [device.serial])).toEqual([
      { actor_kind: 'project_key' },
    ])
  })

  it('gets the same reply again if it repeats the claim, and no key is added', async () => {
    const project = await newProject('open')
    const device = { serial: newSerial(), keys: newKeys() }
    const [first, second] = [await claim(project, device), await claim(project, device)]
    expect(second.json).toEqual(first.json)
    const of = { ...at(project), device_serial: device.serial }
    expect((await own.token.client.call('listDeviceKeys', of)).data).toHaveLength(1)
  })

  it('is refused with 403, never 401, if the project accepts no claims or the key is unknown', async () => {
    const off = await newProject('off')
    expect(outcome(await claim(off))).toEqual([403, 'permission_denied'])
    const unknown = { ...off, key: randomUUID().replaceAll('-', '') }
    expect(outcome(await claim(unknown))).toEqual([403, 'project_key_invalid'])
  })

  it.each([
    ['of another serial number', () => ({ claims: { sub: newSerial() } })],
    ['without a serial number', () => ({ claims: { sub: undefined } })],
    ['of another project', () => ({ claims: { aud: `claim:${own.project.key}` } })],
    ['for any audience, as tokens of devices are', () => ({ claims: { aud: undefined } })],
    ['that has expired', () => ({ claims: { exp: seconds() - 301 } })],
    ['without an expiry', () => ({ claims: { exp: undefined } })],
    ['from the future', () => ({ claims: { iat: seconds() + 400 } })],
    ['for more than 24 hours', () => ({ claims: { exp: seconds() + 87_000 } })],
    [
      'that another key has signed',
      () => ({
        body: { public_key: newKeys().publicKey.export({ type: 'spki', format: 'pem' }).toString() },
      }),
    ],
    ['that is none', () => ({ body: { proof: 'none' } })],
  ])('is refused with a proof %s', async (_, wrong) => {
    expect(outcome(await claim(await newProject('open'), wrong()))).toEqual(refused)
  })

  it('cannot use its proof as a token', async () => {
    const project = await newProject('open')
    const device = { serial: newSerial(), keys: newKeys() }
    await claim(project, device)
    const token = await proofOf(device.keys, { sub: device.serial, aud: `claim:${project.key}` })
    const headers = { authorization: `Bearer ${token}`, 'service-project-key': project.key }
    const url = testStack().gatewayUrls[0] ?? ''
    const body = { device: { device_serial: device.serial } }
    const reply = await send(url, 'POST', '/api/v0/device-config', { headers, body })
    expect(outcome(reply)).toEqual([403, 'device_token_invalid'])
  })

  it('wins alone if two devices claim one serial number at the same time', async () => {
    const project = await newProject('open')
    for (let round = 0; round < 10; round++) {
      const serial = newSerial()
      expect(await race(project, [{ serial }, { serial }])).toEqual([ok, conflict])
    }
  })

  it('wins alone with its key if one key claims two serial numbers at the same time', async () => {
    const project = await newProject('open')
    const keys = newKeys()
    expect(await race(project, [{ keys }, { keys }])).toEqual([ok, [409, 'device_key_taken']])
  })

  it('claims no other key after a revocation, unless a manager approves it or the device is deleted', async () => {
    const project = await newProject('open')
    const device = { serial: newSerial(), keys: newKeys() }
    await claim(project, device)
    const of = { ...at(project), device_serial: device.serial }
    const [key] = (await own.token.client.call('listDeviceKeys', of)).data
    await own.token.client.call('revokeDeviceKey', { ...of, device_key_id: key?.id ?? '' })
    expect(outcome(await claim(project, device))).toEqual(refused)
    expect(outcome(await claim(project, { serial: device.serial }))).toEqual(refused)
    await own.token.client.call('registerDevice', of)
    await own.token.client.call('deleteDevice', of)
    expect(outcome(await claim(project, device))).toEqual(ok)
  })

  it('and the revocation of its key are sent to webhooks that name these events, once', async () => {
    const project = await newProject('open')
    const hook = { ...at(project), url: 'https://hooks.example.com/' }
    const events = ['device.claimed', 'device.key_revoked'] as const
    const { id } = await own.token.client.call('createWebhook', { ...hook, events: [...events] })
    const other = await own.token.client.call('createWebhook', hook)
    const device = { serial: newSerial(), keys: newKeys() }
    await claim(project, device)
    await claim(project, device)
    const of = { ...at(project), device_serial: device.serial }
    const [key] = (await own.token.client.call('listDeviceKeys', of)).data
    await own.token.client.call('revokeDeviceKey', { ...of, device_key_id: key?.id ?? '' })
    const sent = async (webhook_id: string) =>
      (await own.token.client.call('listWebhookDeliveries', { ...at(project), webhook_id })).data
        .map(({ event, device_serial }) => [event, device_serial])
        .sort()
    await eventually(async () => {
      expect(await sent(id)).toEqual(events.map((event) => [event, device.serial]))
    })
    expect(await sent(other.id)).toEqual([])
  })

  describe('with an onboarding token', () => {
    it('is registered, and a repeated claim does not use the token again', async () => {
      const project = await newProject('onboarding-token')
      const { token, id } = await newToken(project, { max_uses: 2 })
      const device = { serial: newSerial(), keys: newKeys(), body: { onboarding_token: token } }
      for (let time = 0; time < 3; time++) expect(outcome(await claim(project, device))).toEqual(ok)
      const { data } = await own.token.client.call('listOnboardingTokens', at(project))
      expect(data).toMatchObject([{ id, uses: 1, max_uses: 2 }])
      expect(JSON.stringify(data)).not.toContain(token)
    })

    it('is refused without one, with one of another project, one that is deleted, has expired, or is mistyped', async () => {
      const project = await newProject('onboarding-token')
      const [foreign, expired, deleted] = [
        await newToken(await newProject('onboarding-token')),
        await newToken(project),
        await newToken(project),
      ]
      await queryIdentity('UPDATE onboarding_tokens SET expires_at = now() WHERE id = $1', [expired.id])
      const gone = { ...at(project), onboarding_token_id: deleted.id }
      await own.token.client.call('deleteOnboardingToken', gone)
      const mistyped = `${foreign.token.slice(0, -1)}x`
      for (const token of [undefined, null, '', foreign.token, expired.token, deleted.token, mistyped])
        expect(outcome(await claim(project, { body: { onboarding_token: token } }))).toEqual(refused)
    })

    it('wins alone if devices use a token for one at the same time', async () => {
      const project = await newProject('onboarding-token')
      const { token } = await newToken(project)
      const claims = Array.from({ length: 6 }, () => ({ body: { onboarding_token: token } }))
      expect(await race(project, claims)).toEqual([ok, ...claims.slice(1).map(() => refused)])
    })

    it('cannot use a token that was reported as leaked', async () => {
      const project = await newProject('onboarding-token')
      const { token } = await newToken(project)
      expect(await own.admin.client.call('reportLeak', { secret: token })).toEqual({ outcome: 'revoked' })
      expect(outcome(await claim(project, { body: { onboarding_token: token } }))).toEqual(refused)
    })
  })

  describe('that needs approval', () => {
    it('waits, is registered once it is approved, and another key of its serial number does not wait', async () => {
      const project = await newProject('approval')
      const device = { serial: newSerial(), keys: newKeys() }
      expect(outcome(await claim(project, device))).toEqual([200, 'waiting'])
      expect(outcome(await claim(project, device))).toEqual([200, 'waiting'])
      expect(outcome(await claim(project, { serial: device.serial }))).toEqual(conflict)
      const [found, ...others] = await waiting(project)
      expect(found).toMatchObject({ device_serial: device.serial, client_address: '127.0.0.1' })
      expect(others).toEqual([])
      await settle(project, 'approveDeviceClaim', found?.id ?? '')
      expect(await waiting(project)).toEqual([])
      expect(outcome(await claim(project, device))).toEqual(ok)
      await expect(settle(project, 'approveDeviceClaim', found?.id ?? '')).rejects.toMatchObject({
        code: 'device_claim_not_found',
      })
    })

    it('waits alone if two devices claim one serial number at the same time', async () => {
      const project = await newProject('approval')
      const serial = newSerial()
      expect(await race(project, [{ serial }, { serial }])).toEqual([[200, 'waiting'], conflict])
    })

    it('is refused after a rejection, and another key of its serial number can wait then', async () => {
      const project = await newProject('approval')
      const device = { serial: newSerial(), keys: newKeys() }
      await claim(project, device)
      const [found] = await waiting(project)
      await settle(project, 'rejectDeviceClaim', found?.id ?? '')
      expect(outcome(await claim(project, device))).toEqual(refused)
      expect(outcome(await claim(project, { serial: device.serial }))).toEqual([200, 'waiting'])
    })

    it('is refused with 409 while 1,000 others wait', async () => {
      const project = await newProject('approval')
      await queryIdentity(
        `INSERT INTO device_claims (id, organization_id, project_id, device_serial, public_key, thumbprint, key_hash,
           created_at, expires_at)
         SELECT gen_random_uuid(), $1, $2, 'WAITING-' || number, '', '', '', now(), now() + interval '1 day'
         FROM generate_series(1, 1000) number`,
        [own.id, project.id],
      )
      expect(outcome(await claim(project))).toEqual([409, 'quota_exceeded'])
    })
  })

  it('is limited to 120 claims per minute of its client network, before a signature is verified', async () => {
    const project = await newProject('open')
    let replies: readonly (readonly [number, unknown])[] = []
    for (let sent = 0; sent < 130; sent += 10)
      replies = [
        ...replies,
        ...(await Promise.all(
          Array.from({ length: 10 }, () => claim(project, { body: { proof: 'none' } }).then(outcome)),
        )),
      ]
    expect(replies.filter(([status]) => status === 403)).toHaveLength(120)
    // Devices do not repeat a request after 429.
    expect(replies.filter(([status]) => status === 503)).toHaveLength(10)
  })
})
