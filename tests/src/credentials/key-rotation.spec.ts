import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getJwks } from '@bearing/contracts/identity/credentials/jwks'
import { reportPeppers } from '@bearing/contracts/identity/credentials/pepper'
import { callAsOperator } from '@bearing/testing/call-as-operator'
import { issue } from '@bearing/testing/certificates'
import { eventually } from '@bearing/testing/eventually'
import { newOrganization, newToken, type TestOrganization } from '@bearing/testing/factories'
import { startStack, type Stack } from '@bearing/testing/stack'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { runBearing } from '../tools/bearing.js'
import { send } from '../tools/http.js'
import { FakeProvider } from '../tools/fake-provider.js'
import { connect } from '../tools/single-sign-on.js'
import { SsoBrowser } from '../tools/sso-browser.js'

describe('rotating the keys of identity, with the command line, one deployment after another', () => {
  let directory: string
  let envFile: string
  let stack: Stack
  let own: TestOrganization
  let provider: FakeProvider

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'bearing-rotation-'))
    envFile = join(directory, '.env')
    // Every question goes to identity: a gateway's memory would hide a gap.
    const gateway = { CREDENTIAL_CACHE_TTL_MS: 0 }
    stack = await startStack({
      services: ['identity', 'management'],
      gateways: 1,
      constants: { gateway },
    })
    own = await newOrganization(stack)
    provider = await FakeProvider.start()
  })

  afterAll(async () => {
    await stack.stop()
    await provider.stop()
    await rm(directory, { recursive: true, force: true })
  })

  const gateway = () => stack.gatewayUrls[0] ?? ''
  const rotate = async (...args: string[]) => {
    const ended = await runBearing(['admin', ...args, '--env-file', envFile], {
      BEARING_NATS_URL: stack.natsUrl,
    })
    expect(ended.stdout + ended.stderr).not.toContain(valueOf(await readFile(envFile, 'utf8')))
    return ended
  }
  const valueOf = (text: string) => /='(.*)'/.exec(text)?.[1] ?? ''
  const deploy = async (name: string) => {
    await stack.replace('identity', { [name]: valueOf(await readFile(envFile, 'utf8')) })
  }
  const use = (credential: Parameters<typeof send>[3]) =>
    send(gateway(), 'GET', `/api/v0/organizations/${own.slug}/projects`, credential)

  /** Asks without a pause while something happens, and gives the statuses of all answers. */
  async function askDuring(work: () => Promise<void>): Promise<Set<number>> {
    const statuses = new Set<number>()
    const over = new AbortController()
    const asking = (async () => {
      while (!over.signal.aborted)
        for (const { credential } of [own.token, own.admin]) statuses.add((await use({ credential })).status)
    })()
    await work().finally(() => {
      over.abort()
    })
    await asking
    return statuses
  }

  it('a signing key is added, put in front and the old one removed, and no request notices', async () => {
    const before = await callAsOperator(getJwks, {}, stack)
    await writeFile(
      envFile,
      `# kept\nIDENTITY_SIGNING_KEYS='${stack.identitySecrets.signingKeys}'\nOTHER=1\n`,
      { mode: 0o600 },
    )
    const keys: string[][] = []
    const statuses = await askDuring(async () => {
      for (const step of ['add', 'promote', 'retire']) {
        expect(await rotate('signing-keys', step)).toMatchObject({ code: 0, stdout: '' })
        await deploy('IDENTITY_SIGNING_KEYS')
        keys.push((await callAsOperator(getJwks, {}, stack)).keys.map(({ kid }) => kid))
        await eventually(async () => expect(await publishedKeys()).toEqual(keys.at(-1)), { withinMs: 30_000 })
      }
    })
    expect([...statuses]).toEqual([200])
    const [old = ''] = before.keys.map(({ kid }) => kid)
    const [, added = ''] = keys[0] ?? []
    expect(keys).toEqual([[old, added], [added, old], [added]])
    expect(await readFile(envFile, 'utf8')).toMatch(/^# kept\nIDENTITY_SIGNING_KEYS='.*'\nOTHER=1\n$/)
    expect((await stat(envFile)).mode & 0o777).toBe(0o600)
    expect(await rotate('signing-keys', 'retire')).toMatchObject({ code: 2 })
  })

  /** The keys that services without NATS read. */
  async function publishedKeys(): Promise<string[]> {
    const { json } = await send(gateway(), 'GET', '/.well-known/jwks.json')
    return (json?.['keys'] as { kid: string }[]).map(({ kid }) => kid)
  }

  /** Returns the number of connections that have their client secret under each pepper. */
  async function connectionsUnder(): Promise<Record<string, number>> {
    const { peppers } = await callAsOperator(reportPeppers, {}, stack)
    const used = peppers.filter(({ sso_connections = 0 }) => sso_connections > 0)
    return Object.fromEntries(used.map(({ id, sso_connections = 0 }) => [id, sso_connections]))
  }

  it('a pepper is rotated while credentials are used, which move under the new one; the old one may not go before', async () => {
    const unused = await newToken(own, stack)
    const connectionId = await connect(own, provider)
    const arrive = () => new SsoBrowser(gateway()).signIn(connectionId)
    // The user is unknown. The response says so only after the provider has answered, which needs the client secret.
    const nobody = { json: { code: 'sso_access_denied' } }
    expect(await arrive()).toMatchObject(nobody)
    await writeFile(envFile, `IDENTITY_PEPPERS='${stack.identitySecrets.peppers}'\n`)
    const statuses = await askDuring(async () => {
      for (const step of ['add', 'promote']) {
        expect(await rotate('peppers', step)).toMatchObject({ code: 0 })
        await deploy('IDENTITY_PEPPERS')
      }
    })
    expect([...statuses]).toEqual([200])
    await use({ credential: own.token.credential })
    await use({ credential: own.admin.credential })
    expect(await connectionsUnder()).toEqual({ '1': 1 })
    expect(await arrive()).toMatchObject(nobody)
    const report = () => callAsOperator(reportPeppers, {}, stack)
    expect(await report()).toEqual({
      current: '2',
      peppers: [
        {
          id: '2',
          configured: true,
          organization_tokens: 1,
          user_keys: 1,
          sessions: 0,
          second_factors: 0,
          sso_connections: 1,
          onboarding_tokens: 0,
        },
        {
          id: '1',
          configured: true,
          organization_tokens: 1,
          user_keys: 0,
          sessions: 0,
          second_factors: 0,
          sso_connections: 0,
          onboarding_tokens: 0,
        },
      ],
    })
    const expiring = await issue(undefined, 'CN=127.0.0.1')
    const proxy = createServer({ cert: expiring.pem, key: expiring.keyPem }).listen(0, '127.0.0.1')
    await once(proxy, 'listening')
    const { port } = proxy.address() as AddressInfo
    const doctor = await runBearing(['admin', 'doctor'], {
      BEARING_NATS_URL: stack.natsUrl,
      BEARING_URL: `https://127.0.0.1:${String(port)}`,
    })
    proxy.close()
    expect(doctor.stdout).toMatch(
      /certificates +127\.0\.0\.1:\d+ +BROKEN +expires on [\d-]+, renew it, not trusted/,
    )
    expect(doctor.stdout).toMatch(/processes +gateway \w+ +ok +[\d.]+, running, clock/)
    expect(doctor.stdout).toMatch(/pepper 1 +ok +1 credential still uses this old one/)
    expect(doctor.stdout).toMatch(/processes +identity \w+ +ok +[\d.]+, running, clock/)
    expect(doctor.stdout).toMatch(/processes +location +BROKEN +no process replies/)
    expect(doctor.code).toBe(1)
    expect(await rotate('peppers', 'retire', '1')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('1 credential uses the pepper "1"'),
    })
    expect((await use({ credential: unused.credential })).status).toBe(200)
    expect(await rotate('peppers', 'retire', '1')).toMatchObject({ code: 0 })
    await deploy('IDENTITY_PEPPERS')
    for (const { credential } of [own.token, own.admin, unused])
      expect((await use({ credential })).status).toBe(200)
    expect(await arrive()).toMatchObject(nobody)
    expect(await rotate('peppers', 'retire', '2')).toMatchObject({ code: 2 })
  })

  it('a credential whose pepper is gone cannot be verified (503), and is never rejected as wrong', async () => {
    const token = await newToken(own, stack)
    await stack.replace('identity', { IDENTITY_PEPPERS: `9:${randomBytes(32).toString('base64')}` })
    expect((await use({ credential: token.credential })).status).toBe(503)
  })

  it('works on standard input and output too, for secret stores', async () => {
    const value = `1:${randomBytes(32).toString('base64')}`
    const { code, stdout } = await runBearing(['admin', 'peppers', 'add'], {}, `${value}\n`)
    expect(code).toBe(0)
    expect(stdout).toMatch(new RegExp(`^${value.replaceAll('+', '\\+')},2:[A-Za-z0-9+/]{43}=\n$`))
    const wrong = await runBearing(['admin', 'peppers', 'add'], {}, 'hunter2\n')
    expect(wrong.code).toBe(2)
    expect(wrong.stderr).not.toContain('hunter2')
  })
})
