import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { page } from '@bearing/contracts/primitives'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { fakeGateway, type FakeGateway } from '../testing/fake-gateway.js'
import { runCli } from '../testing/run-cli.js'

const TOKEN = `brgs_${'Planted0'.repeat(8)}Planted`

describe('contexts', () => {
  let home: string
  let project: string
  let ours: FakeGateway
  let other: FakeGateway
  const sent: (string | undefined)[] = []

  beforeAll(async () => {
    const start = () =>
      fakeGateway({
        listProjects: (input, { authorization }) => {
          sent.push(authorization)
          return page([], 0, input)
        },
      })
    ;[ours, other] = [await start(), await start()]
  })
  afterAll(async () => {
    await ours[Symbol.asyncDispose]()
    await other[Symbol.asyncDispose]()
  })

  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'bearing-contexts-'))
    project = join(home, 'repository', 'src')
    await mkdir(project, { recursive: true })
  })
  afterEach(async () => {
    for (const log of [sent, ours.requests, other.requests]) log.length = 0
    await rm(home, { recursive: true })
  })

  const run = (args: readonly string[], environment: Record<string, string> = {}) =>
    runCli(args, { environment: { HOME: home, ...environment }, cwd: project })
  const configured = (name: string) => join(home, '.config', 'bearing', name)

  /** Writes contexts as a login leaves them: `ours` is current and signed in, `other` is not. */
  async function signedIn(): Promise<void> {
    await mkdir(configured(''), { recursive: true })
    const contexts = {
      ours: {
        url: ours.url,
        organization: 'acme',
        project: 'gate',
        user: 'ann@acme.example',
        stored_in: 'file',
      },
      other: { url: other.url, organization: 'umbrella' },
    }
    await writeFile(configured('contexts.json'), JSON.stringify({ current: 'ours', contexts }), {
      mode: 0o600,
    })
    await writeFile(configured('credentials.json'), JSON.stringify({ ours: TOKEN }), { mode: 0o600 })
  }
  const toml = (text: string) => writeFile(join(home, 'repository', '.bearing.toml'), text)
  const list = (organization: string) =>
    `GET /api/v0/organizations/${organization}/projects?page=1&per_page=10000`

  it('are created, listed, used and deleted, in a file that nobody else can read', async () => {
    const create = (name: string, url: string) =>
      run(['context', 'create', name, '--url', url, '--org', name])
    expect(await create('acme', ours.url)).toMatchObject({ code: 0 })
    expect(await create('umbrella', other.url)).toMatchObject({ code: 0 })
    expect((await stat(configured('contexts.json'))).mode & 0o777).toBe(0o600)
    expect((await create('acme', other.url)).stderr).toContain('There is a context "acme" already.')
    const names = async () => {
      const { stdout } = await run(['context', 'list', '--json'])
      return (JSON.parse(stdout) as { name: string; current: boolean }[]).map(({ name, current }) => [
        name,
        current,
      ])
    }
    // The first one is used.
    expect(await names()).toEqual([
      ['acme', true],
      ['umbrella', false],
    ])
    expect(await run(['context', 'use', 'umbrella'])).toMatchObject({ code: 0 })
    await run(['projects', 'list'], { BEARING_ORG_TOKEN: 'T0ken' })
    expect(other.requests).toEqual([list('umbrella')])
    await run(['projects', 'list', '--context', 'acme'], { BEARING_ORG_TOKEN: 'T0ken' })
    expect(ours.requests).toEqual([list('acme')])
    expect(await run(['context', 'delete', 'umbrella'])).toMatchObject({ code: 0 })
    expect(await names()).toEqual([['acme', false]])
    expect(await run(['context', 'use', 'umbrella'])).toMatchObject({ code: 2 })
  })

  it('are set to another organization without its former project, and never to another server', async () => {
    await signedIn()
    const set = async (...flags: string[]) => {
      const { stdout } = await run(['context', 'set', 'ours', ...flags, '--json'], { BEARING_ORG: 'ignored' })
      return JSON.parse(stdout) as object
    }
    const kept = { name: 'ours', url: ours.url, user: 'ann@acme.example', stored_in: 'file' }
    expect(await set('--project', 'dock')).toEqual({ ...kept, organization: 'acme', project: 'dock' })
    expect(await set('--org', 'acme')).toEqual({ ...kept, organization: 'acme', project: 'dock' })
    expect(await set('--org', 'hooli')).toEqual({ ...kept, organization: 'hooli' })
    await run(['projects', 'list'])
    expect(ours.requests).toEqual([list('hooli')])
    for (const flags of [[], ['--url', other.url], ['--url', ours.url, '--location-url', other.url]])
      expect(await run(['context', 'set', 'ours', ...flags])).toMatchObject({ code: 2, stdout: '' })
    expect(await run(['context', 'set', 'none', '--org', 'acme'])).toMatchObject({ code: 2 })
  })

  it('are set without a name if one is current', async () => {
    expect(await run(['context', 'set', '--org', 'acme'])).toMatchObject({ code: 2 })
    await signedIn()
    const { current } = JSON.parse((await run(['context', 'use', 'ours', '--json'])).stdout) as {
      current: string
    }
    const { stdout } = await run(['context', 'set', '--project', 'dock', '--json'])
    expect(JSON.parse(stdout)).toMatchObject({ name: current, project: 'dock' })
  })

  it('send the token of a login to their own server only', async () => {
    await signedIn()
    await run(['projects', 'list'])
    expect(sent).toEqual([`Bearer ${TOKEN}`])
    for (const args of [
      ['--url', other.url],
      ['--context', 'other'],
      ['--context', 'ours', '--url', other.url],
      ['--location-url', other.url],
    ])
      expect(await run(['projects', 'list', ...args])).toMatchObject({ code: 2 })
    expect(other.requests).toEqual([])
  })

  it('give way to credentials and slugs of the environment, and those to flags', async () => {
    await signedIn()
    const environment = { BEARING_ORG_TOKEN: 'T0ken', BEARING_ORG: 'umbrella' }
    await run(['projects', 'list'], environment)
    await run(['projects', 'list', '--org', 'third'], environment)
    expect(ours.requests).toEqual([list('umbrella'), list('third')])
    expect(sent).toEqual(['Bearer T0ken', 'Bearer T0ken'])
  })

  it('apply with their login, server and slugs instead of the environment and .bearing.toml if --context names them', async () => {
    await signedIn()
    await toml('organization = "hooli"\nproject = "vault"\n')
    const environment = {
      ...{ BEARING_ORG_TOKEN: 'T0ken', BEARING_PROJECT_KEY: 'K3y', BEARING_URL: other.url },
      ...{ BEARING_ORG: 'umbrella', BEARING_LOCATION_URL: other.url },
    }
    await run(['projects', 'list', '--context', 'ours'], environment)
    await run(['projects', 'list', '--context', 'ours', '--org', 'third'], environment)
    await run(['projects', 'list', '--context', 'ours', '--org-token', 'Fl4g'], environment)
    expect(ours.requests).toEqual([list('acme'), list('third'), list('acme')])
    expect(sent).toEqual([`Bearer ${TOKEN}`, `Bearer ${TOKEN}`, 'Bearer Fl4g'])
    expect(other.requests).toEqual([])
    // One without a login: the credential of the environment goes to no other server than the environment says.
    const refused = await run(['projects', 'list', '--context', 'other'], {
      ...{ BEARING_ORG_TOKEN: 'T0ken', BEARING_URL: ours.url },
    })
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Leave out --url and BEARING_URL'),
    })
    expect(other.requests).toEqual([])
    // Also a variable, so the credential of the environment is not hidden.
    await run(['projects', 'list'], { BEARING_CONTEXT: 'ours', BEARING_ORG_TOKEN: 'T0ken' })
    expect(sent.at(-1)).toBe('Bearer T0ken')
  })

  it('do not fall back to a credential of the environment if the login that --context names is lost', async () => {
    await signedIn()
    await rm(configured('credentials.json'))
    const { code, stderr } = await run(['projects', 'list', '--context', 'ours'], {
      BEARING_ORG_TOKEN: 'T0ken',
    })
    expect(code).toBe(2)
    expect(stderr).toContain('bearing login')
    expect(sent).toEqual([])
  })

  it('warn if they are chosen while the environment contains a credential', async () => {
    await signedIn()
    const use = (environment: Record<string, string>) => run(['context', 'use', 'ours'], environment)
    expect((await use({ BEARING_ORG_TOKEN: 'T0ken' })).stderr).toContain('BEARING_ORG_TOKEN is set')
    expect((await use({})).stderr).not.toContain('is set')
  })

  it('are chosen by the server of a .bearing.toml in a folder above, and its slugs replace theirs', async () => {
    await signedIn()
    await toml('organization = "hooli"\n')
    await run(['projects', 'list'])
    expect(ours.requests).toEqual([list('hooli')])
    await toml(`server = "${other.url}/"\norganization = "hooli"\n`)
    await run(['projects', 'list'], { BEARING_ORG_TOKEN: 'T0ken' })
    expect(other.requests).toEqual([list('hooli')])
    // Of another server.
    await run(['projects', 'list', '--context', 'ours'])
    expect(ours.requests).toEqual([list('hooli'), list('acme')])
  })

  it('keep every credential from the server of a .bearing.toml that none of them is for', async () => {
    const evil = await fakeGateway({})
    try {
      await signedIn()
      await toml(`server = "${evil.url}"\norganization = "acme"\n`)
      for (const environment of [{}, { BEARING_ORG_TOKEN: 'T0ken' }]) {
        const { code, stderr } = await run(['projects', 'list'], environment)
        expect(code).toBe(2)
        expect(stderr).toContain('If you trust it, run "bearing login --url')
      }
      expect([...evil.requests, ...ours.requests]).toEqual([])
      // Somebody who names a server does not need the file.
      await run(['projects', 'list', '--url', ours.url], { BEARING_ORG_TOKEN: 'T0ken' })
      expect(ours.requests).toEqual([list('acme')])
    } finally {
      await evil[Symbol.asyncDispose]()
    }
  })

  it.each([
    ['a credential', 'org_token = "brgo_S3cret"', 'org_token'],
    ['a slug that is none', 'organization = "S3cret!"', 'organization'],
    ['a server that is none', 'server = "ftp://S3cret"', 'server'],
    ['a text that is no TOML', 'organization = S3cret', 'line 1'],
  ])('refuse %s in a .bearing.toml, without repeating it', async (_, text, named) => {
    await toml(text)
    const { code, stderr } = await run(['projects', 'list'], { BEARING_ORG_TOKEN: 'T0ken' })
    expect(code).toBe(2)
    expect(stderr).toContain(named)
    expect(stderr).not.toContain('S3cret')
  })

  it('refuse files that others can read, and damaged ones', async () => {
    await signedIn()
    await chmod(configured('credentials.json'), 0o640)
    const readable = await run(['projects', 'list'])
    expect(readable).toMatchObject({ code: 2 })
    expect(readable.stderr).toContain('chmod 600')
    expect(ours.requests).toEqual([])
    await writeFile(configured('contexts.json'), `{"contexts": ${TOKEN}`)
    const damaged = await run(['context', 'list'])
    expect(damaged).toMatchObject({ code: 2 })
    expect(damaged.stderr).toContain('damaged')
    expect(damaged.stderr).not.toContain(TOKEN)
  })

  it('are not read for help', async () => {
    await toml('no TOML')
    expect(await run(['--help'])).toMatchObject({ code: 0 })
  })
})
