import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { eventually } from '@bearing/testing/eventually'
import { newOrganization, newProject, newToken, type TestOrganization } from '@bearing/testing/factories'
import { startStack, type Stack } from '@bearing/testing/stack'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { runBearing } from '../tools/bearing.js'
import { DebianPostgres, debianPostgres, describeWithPgDump } from '../tools/debian-postgres.js'
import { TestDevice } from '../tools/device-data.js'
import { send } from '../tools/http.js'
import { ROOT } from '../tools/root.js'

const PAGE = readFileSync(join(ROOT, 'docs', 'backups.md'), 'utf8')
const MIGRATE = join(ROOT, 'prisma', 'dist', 'main.js')
const SERVICES = ['identity', 'management', 'location'] as const
const PATIENCE = { withinMs: 90_000, everyMs: 200 }
const run = promisify(execFile)

const [, DUMP = ''] = /`(pg_dump --[^`]+)`/.exec(PAGE) ?? []
const [, RESTORE = ''] = /```bash\n([^`]*pg_restore --[^`]*)```/.exec(PAGE) ?? []

const bin = debianPostgres()

describeWithPgDump('the commands of docs/backups.md', () => {
  let server: DebianPostgres
  let stack: Stack
  let own: TestOrganization
  let directory: string

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'bearing-pg-dump-'))
    server = await DebianPostgres.start(bin ?? '')
    stack = await startStack({ gateways: 1, postgres: { url: server.url } })
    own = await newOrganization(stack)
  })

  afterAll(async () => {
    await stack.stop()
    await server[Symbol.asyncDispose]()
    await rm(directory, { recursive: true, force: true })
  })

  /** Runs commands of the page; its database is called `bearing`. */
  const shell = (text: string, databaseUrl: string) => {
    const server = new URL(databaseUrl)
    const name = server.pathname.slice(1)
    server.pathname = '/postgres'
    const path = [bin, process.env['PATH']].join(delimiter)
    return run('sh', ['-ec', text.replaceAll(/\bbearing$/gm, name)], {
      cwd: directory,
      env: { PATH: path, DATABASE_URL: databaseUrl, SERVER_URL: server.href },
    })
  }

  /** Sets roles, rights and tables, as step 3 of the page says. */
  const migrate = (databaseUrl: string) => {
    const urlOf = (service: (typeof SERVICES)[number]) => {
      const url = new URL(stack.databaseUrls[service])
      return Object.assign(url, { port: new URL(databaseUrl).port, pathname: new URL(databaseUrl).pathname })
        .href
    }
    const urls = Object.fromEntries(
      SERVICES.map((service) => [`${service.toUpperCase()}_DATABASE_URL`, urlOf(service)]),
    )
    return { urls, done: run(process.execPath, [MIGRATE], { env: { DATABASE_URL: databaseUrl, ...urls } }) }
  }

  const whoAmI = (token: Awaited<ReturnType<typeof newToken>>) =>
    send(stack.gatewayUrls[0] ?? '', 'GET', '/auth/me', { credential: token.credential })

  /** Expects what was there at the time of the dump, and nothing that came later. */
  async function expectRestored(
    device: TestDevice,
    deleted: Awaited<ReturnType<typeof newToken>>,
    later: string,
  ) {
    await eventually(async () => {
      expect((await whoAmI(deleted)).status).toBe(200)
    }, PATIENCE)
    expect(await device.stored(1)).toContain('before')
    const projects = await own.admin.client.call('listProjects', { organization: own.slug })
    const slugs = projects.data.map(({ slug }) => slug)
    expect(slugs).toContain(own.project.slug)
    expect(slugs).not.toContain(later)
    // Rights of the roles are complete: something can be written in each service.
    const text = `after, without ${later}, at ${String(performance.now())}`
    expect((await device.send(text)).status).toBe(202)
    await eventually(async () => {
      expect(await device.stored(2)).toContain(text)
    }, PATIENCE)
    await newToken({ slug: own.slug, admin: own.admin }, stack)
    const settings = { organization: own.slug, observation_retention_days: 100 }
    await own.admin.client.call('changeLocationSettings', settings)
    const doctor = await runBearing(['--json', 'admin', 'doctor'], { BEARING_NATS_URL: stack.natsUrl })
    expect(doctor).toMatchObject({ code: 0 })
  }

  it('restore a stack that answers with the old credentials, in place and on a new server', async () => {
    const device = new TestDevice(stack.gatewayUrls[0] ?? '', own, own.project)
    expect((await device.send('before')).status).toBe(202)
    await device.stored(1)
    const token = await newToken({ slug: own.slug, admin: own.admin }, stack)
    const databaseUrl = stack.adminDatabaseUrl
    await shell(DUMP, databaseUrl)

    await own.admin.client.call('deleteOrganizationToken', {
      organization: own.slug,
      organization_token_id: token.id,
    })
    const later = await newProject(own)
    for (const service of SERVICES) await stack.part(service).stop()
    await shell(RESTORE, databaseUrl)
    await migrate(databaseUrl).done
    await Promise.all(SERVICES.map((service) => stack.part(service).start()))
    await stack.part('gateway-1').restart()
    await expectRestored(device, token, later.slug)

    await using other = await DebianPostgres.start(bin ?? '')
    const newUrl = other.url.replace(/postgres$/, 'bearing')
    for (const service of SERVICES) await stack.part(service).stop()
    await shell(RESTORE, newUrl)
    const { urls, done } = migrate(newUrl)
    await done
    for (const service of SERVICES)
      await stack.replace(service, {
        DATABASE_URL: urls[`${service.toUpperCase()}_DATABASE_URL`] ?? '',
      })
    await stack.part('gateway-1').restart()
    await expectRestored(device, token, later.slug)
  })
})
