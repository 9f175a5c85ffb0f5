import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { eventually } from '@bearing/testing/eventually'
import { newOrganization, newProject, newToken, type TestOrganization } from '@bearing/testing/factories'
import { startStack, type Stack } from '@bearing/testing/stack'
import { forSuite } from '@bearing/testing/for-suite'
import { describe, expect, it } from '@jest/globals'
import pg from 'pg'
import { runBearing } from '../tools/bearing.js'
import { TestDevice } from '../tools/device-data.js'
import { send } from '../tools/http.js'
import { commit, prepare, put, type UploadTarget } from '../tools/uploading.js'
import { ROOT } from '../tools/root.js'

const MIGRATE = join(ROOT, 'prisma', 'dist', 'main.js')
const SERVICES = ['identity', 'management', 'location'] as const
const PATIENCE = { withinMs: 90_000, everyMs: 200 }

/** A whole Bearing, and what an operator does with its Postgres and its JetStream. */
class Restorable {
  private constructor(
    readonly stack: Stack,
    readonly own: TestOrganization,
    private readonly directory: string,
    private readonly streams: string,
  ) {}

  static async start(): Promise<Restorable> {
    const directory = await mkdtemp(join(tmpdir(), 'bearing-restore-'))
    const stack = await startStack({ gateways: 1, directory })
    const [folder = ''] = await readdir(directory)
    const streams = join(directory, folder, 'nats', 'jetstream')
    return new Restorable(stack, await newOrganization(stack), directory, streams)
  }

  async stop(): Promise<void> {
    await this.stack.stop()
    await rm(this.directory, { recursive: true })
  }

  get gateway(): string {
    return this.stack.gatewayUrls[0] ?? ''
  }

  device(): TestDevice {
    return new TestDevice(this.gateway, this.own, this.own.project)
  }

  async stopServices(): Promise<void> {
    for (const service of SERVICES) await this.stack.part(service).stop()
  }

  async startServices(): Promise<void> {
    await Promise.all(SERVICES.map((service) => this.stack.part(service).start()))
    // The caches of gateways hold entries from before the restore.
    await this.stack.part('gateway-1').restart()
  }

  /** Copies the database, or puts a copy in its place; nobody may be connected to it. Roles are not part of it. */
  async copyDatabase(to: 'backup' | 'place'): Promise<void> {
    const place = new URL(this.stack.adminDatabaseUrl)
    const name = place.pathname.slice(1)
    const [from, made] = to === 'backup' ? [name, `${name}_backup`] : [`${name}_backup`, name]
    place.pathname = '/postgres'
    const admin = new pg.Client(place.href)
    await admin.connect()
    if (to === 'place') await admin.query(`DROP DATABASE ${made} WITH (FORCE)`)
    await admin.query(`CREATE DATABASE ${made} TEMPLATE ${from}`)
    if (to === 'place') await admin.query(`DROP DATABASE ${from}`)
    await admin.end()
    if (to === 'place') await this.runMigrations()
  }

  private async runMigrations(): Promise<void> {
    const { identity, management, location } = this.stack.databaseUrls
    await promisify(execFile)(process.execPath, [MIGRATE], {
      env: {
        DATABASE_URL: this.stack.adminDatabaseUrl,
        IDENTITY_DATABASE_URL: identity,
        MANAGEMENT_DATABASE_URL: management,
        LOCATION_DATABASE_URL: location,
      },
    })
  }

  /** Copies what JetStream has stored, or puts a copy in its place, or nothing; NATS stops for it. */
  async copyStreams(to: 'backup' | 'place' | 'nothing'): Promise<void> {
    const backup = join(this.directory, 'backup')
    await this.stack.part('nats').stop()
    if (to === 'backup') await cp(this.streams, backup, { recursive: true })
    else await rm(this.streams, { recursive: true })
    if (to === 'place') await cp(backup, this.streams, { recursive: true })
    await this.stack.part('nats').start()
  }

  /** Uploads a file, and gives what downloads it. */
  async upload(serial: string): Promise<{ bytes: Buffer; download: () => Promise<Response> }> {
    const project = `/api/v0/organizations/${this.own.slug}/projects/${this.own.project.slug}`
    const credential = { kind: 'project_key', key: this.own.project.key } as const
    const target: UploadTarget = { gateway: this.gateway, project, credential }
    const prepared = await prepare(target)
    const bytes = randomBytes(300_000)
    expect((await put(prepared, bytes)).status).toBe(200)
    const body = { file: { token: prepared.token }, device: { device_serial: serial } }
    const committed = await commit(target, '/api/v0/upload/coredump', body)
    expect(committed.status).toBe(202)
    const { id } = committed.json?.data as { id: string }
    const headers = { authorization: `Bearer ${this.own.token.token}` }
    return { bytes, download: () => fetch(`${this.gateway}${project}/files/${id}/download`, { headers }) }
  }

  doctor() {
    const operator = { BEARING_NATS_URL: this.stack.natsUrl }
    return runBearing(['--json', 'admin', 'doctor'], operator)
  }
}

describe('restored', () => {
  const bearing = forSuite(() => Restorable.start())

  /** Sends, once gateway and NATS are there again. */
  const sends = (device: TestDevice, text: string) =>
    eventually(async () => {
      expect((await device.send(text)).status).toBe(202)
    }, PATIENCE)

  const downloads = ({ bytes, download }: Awaited<ReturnType<Restorable['upload']>>) =>
    eventually(async () => {
      expect(Buffer.from(await (await download()).arrayBuffer()).equals(bytes)).toBe(true)
    }, PATIENCE)

  it('an older JetStream doubles nothing, and what comes then is stored; files that came after it are gone', async () => {
    const device = bearing.device()
    await sends(device, 'stored')
    await device.stored(1)
    const before = await bearing.upload(device.serial)
    await bearing.stack.part('management').stop()
    await sends(device, 'queued')
    await bearing.copyStreams('backup')
    await bearing.stack.part('management').start()
    await device.stored(2)
    await sends(device, 'later')
    await device.stored(3)
    const after = await bearing.upload(device.serial)
    await downloads(after)

    await bearing.copyStreams('place')
    // Its place in the stream is that of what came after the copy.
    await sends(device, 'new')
    await sends(device, 'newer')
    const contents = await device.stored(5)
    expect([...contents].sort()).toEqual(['later', 'new', 'newer', 'queued', 'stored'])
    expect(await device.count(5)).toBe(5)
    await downloads(before)
    const fresh = await bearing.upload(device.serial)
    await downloads(fresh)
    // Not the bytes of another file, at whose place in the stream they were.
    expect((await after.download()).status).toBe(500)
  })

  it('an empty JetStream is set up again automatically, and what comes then is stored behind what is there', async () => {
    const device = bearing.device()
    await sends(device, 'stored')
    await device.stored(1)
    await bearing.copyStreams('nothing')
    await sends(device, 'new')
    expect(await device.stored(2)).toEqual(['stored', 'new'])
    await downloads(await bearing.upload(device.serial))
  })

  it('an older Postgres stores what still lies in the queue, and has dead-lettered what it does not know whose it is', async () => {
    const { own, stack, gateway } = bearing
    const device = bearing.device()
    await sends(device, 'stored')
    await device.stored(1)
    const leaked = await newToken({ slug: own.slug, admin: own.admin }, stack)
    const ask = () => send(gateway, 'GET', '/auth/me', { credential: leaked.credential })
    expect((await ask()).status).toBe(200)
    await bearing.stopServices()
    await bearing.copyDatabase('backup')
    await bearing.startServices()

    await sends(device, 'lost')
    await device.stored(2)
    await own.admin.client.call('deleteOrganizationToken', {
      organization: own.slug,
      organization_token_id: leaked.id,
    })
    await eventually(async () => {
      expect((await ask()).status).toBe(401)
    }, PATIENCE)
    const project = await newProject(own)
    const ofNobody = new TestDevice(gateway, own, project)
    await sends(ofNobody, 'of a project that the copy does not have')
    await ofNobody.stored(1)
    await stack.part('management').stop()
    await sends(device, 'queued')
    await sends(ofNobody, 'queued too')
    await bearing.stopServices()
    await bearing.copyDatabase('place')
    await bearing.startServices()

    expect(await device.stored(2)).toEqual(['stored', 'queued'])
    // Whatever was revoked since the copy is valid again.
    expect((await ask()).status).toBe(200)
    await eventually(async () => {
      const operator = { BEARING_NATS_URL: stack.natsUrl }
      const { stdout } = await runBearing(['--json', 'admin', 'dead-letters', 'list'], operator)
      expect(stdout).toContain(ofNobody.serial)
    }, PATIENCE)
    expect(await bearing.doctor()).toMatchObject({ code: 0 })
  })
})
