import { readdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '@bearing/testing/eventually'
import { newOrganization, newProject, type TestOrganization } from '@bearing/testing/factories'
import { startStack, type Stack } from '@bearing/testing/stack'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { runBearing } from '../tools/bearing.js'
import { DebianPostgres, debianPostgres, describeWithPgDump } from '../tools/debian-postgres.js'
import { TestDevice } from '../tools/device-data.js'
import { PgBackRest } from '../tools/pgbackrest.js'
import { restoreStreams, snapshotStreams, type StreamSnapshot } from '../tools/stream-snapshots.js'

const SERVICES = ['identity', 'management', 'location'] as const
const PATIENCE = { withinMs: 90_000, everyMs: 200 }
const bin = debianPostgres() ?? ''

// Backups are taken while devices send. Then nothing is left but them: a new Postgres, an empty NATS, new processes.
describeWithPgDump('Bearing restored from pgBackRest and from snapshots of streams', () => {
  let directory: string
  let archive: PgBackRest
  let server: DebianPostgres
  let stack: Stack
  let own: TestOrganization
  const restored: AsyncDisposable[] = []

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'bearing-fresh-'))
    archive = await PgBackRest.open()
    server = await DebianPostgres.start(bin, { settings: archive.settings })
    stack = await startStack({ gateways: 1, directory, postgres: { url: server.url } })
    own = await newOrganization(stack)
  })

  afterAll(async () => {
    await stack.stop()
    for (const one of [...restored, server, archive]) await one[Symbol.asyncDispose]()
    await rm(directory, { recursive: true, force: true })
  })

  const sends = (device: TestDevice, text: string) =>
    eventually(async () => {
      expect((await device.send(text)).status).toBe(202)
    }, PATIENCE)

  const deviceOf = (project = own.project) => new TestDevice(stack.gatewayUrls[0] ?? '', own, project)

  /** Sends a chunk that stays in its stream, and takes a snapshot of all streams meanwhile. */
  async function snapshotWith(
    ...queued: readonly (readonly [TestDevice, string])[]
  ): Promise<StreamSnapshot[]> {
    await stack.part('management').stop()
    for (const [device, text] of queued) await sends(device, text)
    const snapshots = await snapshotStreams(stack.natsUrl)
    await stack.part('management').start()
    return snapshots
  }

  /** Loses everything, and starts again from the backup and snapshots. */
  async function restore(snapshots: readonly StreamSnapshot[]): Promise<void> {
    for (const name of [...SERVICES, 'gateway-1', 'nats']) await stack.part(name).stop()
    const [folder = ''] = await readdir(directory)
    await rm(join(directory, folder, 'nats', 'jetstream'), { recursive: true })
    const fresh = await DebianPostgres.start(bin, { fill: (data) => archive.restore(data) })
    restored.push(fresh)
    await stack.part('nats').start()
    await restoreStreams(stack.natsUrl, snapshots)
    for (const service of SERVICES) {
      const url = Object.assign(new URL(stack.databaseUrls[service]), { port: new URL(fresh.url).port })
      await stack.replace(service, { [`${service.toUpperCase()}_DATABASE_URL`]: url.href })
    }
    await stack.part('gateway-1').start()
  }

  it('with streams older than Postgres has each chunk once, and lacks what both backups lack', async () => {
    const device = deviceOf()
    await sends(device, 'stored')
    await device.stored(1)
    const snapshots = await snapshotWith([device, 'queued'])
    await device.stored(2)
    await sends(device, 'between')
    await device.stored(3)
    await archive.backUp(server)
    await sends(device, 'lost')
    await device.stored(4)
    // The server dies: what it has not archived is gone.
    await restore(snapshots)

    expect((await device.stored(3)).toSorted()).toEqual(['between', 'queued', 'stored'])
    await sends(device, 'new')
    expect((await device.stored(4)).toSorted()).toEqual(['between', 'new', 'queued', 'stored'])
    expect(await device.count(4)).toBe(4)
    const operator = { BEARING_NATS_URL: stack.natsUrl }
    expect(await runBearing(['--json', 'admin', 'doctor'], operator)).toMatchObject({ code: 0 })
  })

  it('with streams newer than Postgres stores what was queued, and names the device of each orphan', async () => {
    const device = deviceOf()
    const orphan = deviceOf(await newProject(own))
    for (const one of [device, orphan]) {
      await sends(one, 'stored since the backup')
      await one.stored(1)
    }
    const snapshots = await snapshotWith([device, 'queued'], [orphan, 'of a project that Postgres has not'])
    await restore(snapshots)

    expect(await device.stored(1)).toEqual(['queued'])
    expect(await device.count(1)).toBe(1)
    await eventually(async () => {
      const operator = { BEARING_NATS_URL: stack.natsUrl }
      const { stdout } = await runBearing(['--json', 'admin', 'dead-letters', 'list'], operator)
      expect(stdout).toContain(orphan.serial)
    }, PATIENCE)
  })
})
