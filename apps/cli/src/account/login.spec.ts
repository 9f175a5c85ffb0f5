import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { page } from '@bearing/contracts/primitives'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { CREATED_AT, fakeGateway, id, type Answers, type FakeGateway } from '../testing/fake-gateway.js'
import { runCli } from '../testing/run-cli.js'

const EMAIL = 'ann@acme.example'
const answers: Answers = {
  requestLogin: () => ({
    ...{ device_code: 'd'.repeat(43), user_code: 'VRNK-WPPW', expires_in: 600, interval: 1 },
    verification_uri: 'https://bearing.example.com/command-line',
  }),
  exchangeLogin: () => ({
    ...{ access_token: 'brgs_Secret', token_type: 'Bearer' as const, user_id: id(4), email: EMAIL },
    session: {
      ...{ id: id(5), methods: ['pwd' as const], address: null, user_agent: null, host: 'ann-laptop' },
      ...{ created_at: CREATED_AT, last_seen_at: CREATED_AT, expires_at: CREATED_AT, current: true },
    },
  }),
  whoAmI: () => ({
    ...{ kind: 'user' as const, user_id: id(4), email: EMAIL },
    ...{ credential_id: id(6), proof: 'api_key' as const, grants: [] },
  }),
  listOrganizations: (input) => page([], 0, input),
}
const WARNING = 'BEARING_ORG_TOKEN is set and takes precedence over this login: unset it, or give --context.'

describe('bearing login', () => {
  let folder: string
  let gateway: FakeGateway
  beforeEach(async () => {
    gateway = await fakeGateway(answers)
    folder = await mkdtemp(join(tmpdir(), 'bearing-login-'))
  })
  afterEach(async () => {
    await gateway[Symbol.asyncDispose]()
    await rm(folder, { recursive: true })
  })

  function inFolder(args: readonly string[], credentials: Record<string, string> = {}) {
    const environment = { XDG_CONFIG_HOME: folder, BEARING_URL: gateway.url, ...credentials }
    return runCli(args, { environment })
  }

  it('says where to enter the code, and warns of nothing without credentials in the environment', async () => {
    const { code, stderr } = await inFolder(['login'])
    expect(code).toBe(0)
    expect(stderr).toContain('Open https://bearing.example.com/command-line and enter the code VRNK-WPPW')
    expect(stderr).not.toContain('precedence')
  })

  it('selects the only organization and its only project', async () => {
    const one = (slug: string) => ({ id: id(7), slug, name: slug, created_at: CREATED_AT })
    await using server = await fakeGateway({
      ...answers,
      listOrganizations: (input) => page([one('acme')], 1, input),
      listProjects: (input) => page([one('trackers')], 1, input),
    })
    const { code, stdout } = await inFolder(['login', '--json'], { BEARING_URL: server.url })
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ organization: 'acme', project: 'trackers' })
  })

  it.each([
    [{ BEARING_ORG_TOKEN: 'T0ken' }, WARNING],
    [
      { BEARING_EMAIL: EMAIL, BEARING_PASSWORD: 'T0ken' },
      'BEARING_EMAIL and BEARING_PASSWORD are set and take precedence over this login: unset them, or give --context.',
    ],
  ])('warns of credentials in the environment, without their values: %j', async (credentials, warning) => {
    const { code, stdout, stderr } = await inFolder(['login'], credentials)
    expect(code).toBe(0)
    expect(stderr).toContain(warning)
    expect(stdout + stderr).not.toContain('T0ken')
  })

  it('is named by "auth status" where a credential in the environment is used instead', async () => {
    await inFolder(['login'])
    const { code, stderr } = await inFolder(['auth', 'status'], { BEARING_ORG_TOKEN: 'T0ken' })
    expect(code).toBe(0)
    expect(stderr).toContain(WARNING)
  })
})
