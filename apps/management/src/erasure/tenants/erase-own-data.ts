import { DEVICE_LOCATION_STREAM } from '@bearing/contracts/nats/streams'
import { chunkStreams } from '@bearing/nats/chunk-partitions'
import { Connection } from '@bearing/nats/connection'
import { StoredStream } from '@bearing/nats/stored-stream'
import { countRows, eraseRows, type Erasable, type Erased } from '@bearing/service/store/erase-rows'
import { Clock } from '@bearing/service/ground/clock'
import { DeadLetters } from '@bearing/service/store/dead-letters'
import { Injectable } from '@nestjs/common'
import { DeviceDataFeed, eraseRecorded } from '../../feed/device-data-feed.js'
import { Database } from '../../ground/database.js'
import { deadLettersOf } from '../../ingest/dead-letters/dead-letter.js'
import { SweepPayloads } from '../../storage/payloads/sweep-payloads.js'
import { Storages } from '../../storage/storage.js'
import type { Tenant } from './deletion-row.js'
import { projectsOf } from './start-erasure.js'

/** Time for deleting the rows of one batch, in milliseconds. */
const BUDGET_MS = 5_000
/** Objects in the storage of files, and dead letters, that one batch deletes. */
const OBJECTS = 200
const DEAD_LETTERS = 500
/**
 * For so long after a preparation a client may still put an object to S3 itself, in milliseconds: 15 minutes until it starts, and
 * 5 for the transfer. An object that is deleted earlier could come back.
 */
const PUT_MS = 20 * 60_000
/** The same for payloads of chunks, which services put within seconds. */
const PAYLOAD_PUT_MS = 60_000

const OF_PROJECTS = 'project_id = ANY ($2)'

/** Management's data of projects, in the order of erasure. Then the objects of files; the projects themselves last. */
export const TABLES: readonly Erasable[] = [
  { table: 'webhook_deliveries', where: OF_PROJECTS },
  {
    table: 'webhook_hours',
    key: ['webhook_id', 'hour'],
    where: `webhook_id IN (SELECT id FROM webhooks WHERE ${OF_PROJECTS})`,
  },
  { table: 'webhooks', where: OF_PROJECTS },
  { table: 'uploads', where: OF_PROJECTS },
  { table: 'files', where: OF_PROJECTS },
  { table: 'device_chunks', key: ['id', 'received_at'], where: OF_PROJECTS },
  { table: 'chunk_requests', where: OF_PROJECTS },
  { table: 'device_attributes', key: ['device_id', 'number'], where: OF_PROJECTS },
  // The foreign key searches every partition of chunks for each of them: about 20 ms with 400 partitions on a busy machine.
  { table: 'devices', where: OF_PROJECTS, limit: 100 },
  { table: 'declared_attributes', key: ['project_id', 'number'], where: OF_PROJECTS },
  { table: 'device_bulk_deletions', where: OF_PROJECTS },
  { table: 'device_deletions', key: ['project_id', 'serial'], where: OF_PROJECTS },
  { table: 'project_hours', key: ['project_id', 'hour'], where: OF_PROJECTS },
  { table: 'project_usage', key: ['project_id', 'day'], where: OF_PROJECTS },
  { table: 'data_policies', key: ['project_id'], where: OF_PROJECTS },
]
/** Former slugs of the projects of an organization. */
export const SLUGS: Erasable = { table: 'reserved_slugs', key: ['scope_id', 'slug'], where: 'scope_id = $1' }
const OBJECT_ROWS: readonly Erasable[] = [
  { table: 'stored_objects', where: OF_PROJECTS },
  { table: 'chunk_objects', where: OF_PROJECTS },
]

/** Erases what management has of an organization or project: rows, objects of files, and messages in streams. */
@Injectable()
export class EraseOwnData {
  constructor(
    private readonly database: Database,
    private readonly storages: Storages,
    private readonly deadLetters: DeadLetters,
    private readonly clock: Clock,
    private readonly connection: Connection,
    private readonly feed: DeviceDataFeed,
    private readonly payloads: SweepPayloads,
  ) {}

  /** Erases one batch. Idempotent. */
  async batch(tenant: Tenant): Promise<Erased> {
    const projects = await projectsOf(this.database, tenant)
    const values = [tenant.organizationId, projects] as const
    const query = (statement: string, parameters: readonly unknown[]) =>
      this.database.$queryRawUnsafe<unknown[]>(statement, ...parameters)
    const rows = await eraseRows(
      query,
      tenant.projectId === null ? [...TABLES, SLUGS] : TABLES,
      values,
      BUDGET_MS,
    )
    const objects =
      rows.remaining > 0 ? 0 : (await this.eraseObjects(projects)) + (await this.erasePayloads(projects))
    const { organizationId: organization_id, projectId } = tenant
    const scope = { organization_id, ...(projectId !== null && { project_id: projectId }) }
    await eraseRecorded(this.database, scope)
    await this.feed.erase(scope)
    const letters = await this.deadLetters.deleteSome(
      deadLettersOf(tenant.organizationId, tenant.projectId ?? '*'),
      DEAD_LETTERS,
    )
    const left =
      (await countRows(query, OBJECT_ROWS, values)) +
      letters.remaining +
      (await this.countQueued(tenant)) +
      (await this.feed.count(scope))
    return { erased: rows.erased + objects + letters.erased, remaining: rows.remaining + left }
  }

  /** The row last: after a crash the object is removed again, which changes nothing. */
  private async eraseObjects(projects: readonly string[]): Promise<number> {
    const rows = await this.database.storedObject.findMany({
      where: {
        projectId: { in: [...projects] },
        NOT: {
          storage: { not: 'jetstream' },
          sha256: null,
          createdAt: { gt: new Date(this.clock.nowMs() - PUT_MS) },
        },
      },
      select: { id: true, storage: true },
      take: OBJECTS,
    })
    for (const { id, storage } of rows) {
      await this.storages.named(storage).remove(id)
      await this.database.storedObject.deleteMany({ where: { id } })
    }
    return rows.length
  }

  private async erasePayloads(projects: readonly string[]): Promise<number> {
    const written = new Date(this.clock.nowMs() - PAYLOAD_PUT_MS)
    await this.database.chunkObject.updateMany({
      where: { projectId: { in: [...projects] }, NOT: { lastAt: null, createdAt: { gt: written } } },
      data: { leaving: true },
    })
    return this.payloads.removeSome(projects)
  }

  /** Queued messages are discarded by their consumers; here they are counted. */
  private async countQueued({ organizationId, projectId }: Tenant): Promise<number> {
    const ofProject = `${organizationId}.${projectId ?? '*'}`
    const queues = (await chunkStreams(this.connection)).map(
      (stream) => [stream, `${stream.subject}.${ofProject}.*`] as const,
    )
    let count = 0
    for (const [stream, subject] of [
      ...queues,
      [DEVICE_LOCATION_STREAM, `${DEVICE_LOCATION_STREAM.subject}.${ofProject}`] as const,
    ])
      count += await new StoredStream(this.connection, stream).count(subject)
    return count
  }
}
