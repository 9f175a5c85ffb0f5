import { CHUNK_STREAM, DEVICE_LOCATION_STREAM } from '@bearing/contracts/streams'
import { Connection } from '@bearing/nats/connection'
import { StoredStream } from '@bearing/nats/stored-stream'
import { countRows, eraseRows, type Erasable, type Erased } from '@bearing/service/erase-rows'
import { Injectable } from '@nestjs/common'
import { Storages } from '../../files/storage/storage.js'
import { Database } from '../../ground/database.js'
import { DeadLetterStream } from '../../ingest/dead-letters/dead-letter-stream.js'
import type { Tenant } from './deletion-row.js'
import { projectsOf } from './start-erasure.js'

/** How long the rows of one batch are deleted, in milliseconds. */
const BUDGET_MS = 5_000
/** Objects in the storage of files, and dead letters, that one batch deletes. */
const OBJECTS = 200
const DEAD_LETTERS = 500

const OF_PROJECTS = 'project_id = ANY ($2)'

/** What management has of projects, in the order of erasure. Then the objects of files; the projects themselves last. */
const TABLES: readonly Erasable[] = [
  { table: 'webhook_deliveries', where: OF_PROJECTS },
  { table: 'webhooks', where: OF_PROJECTS },
  { table: 'uploads', where: OF_PROJECTS },
  { table: 'files', where: OF_PROJECTS },
  { table: 'chunks', where: OF_PROJECTS },
  { table: 'device_attributes', where: OF_PROJECTS },
  { table: 'devices', where: OF_PROJECTS },
  { table: 'declared_attributes', where: OF_PROJECTS },
  { table: 'device_moves', where: `${OF_PROJECTS} OR to_project_id = ANY ($2)` },
  { table: 'device_bulk_deletions', where: OF_PROJECTS },
  { table: 'device_deletions', where: OF_PROJECTS },
  { table: 'project_usage', where: OF_PROJECTS },
  { table: 'data_policies', where: OF_PROJECTS },
]
/** Former slugs of the projects of an organization. */
const SLUGS: Erasable = { table: 'reserved_slugs', where: 'scope_id = $1' }
const OBJECT_ROWS: Erasable = { table: 'stored_objects', where: OF_PROJECTS }

/** Erases what management has of an organization or project: rows, objects of files, and messages in streams. */
@Injectable()
export class EraseOwnData {
  private readonly queues: readonly (readonly [StoredStream, subject: string, devices: string])[]

  constructor(
    private readonly database: Database,
    private readonly storages: Storages,
    private readonly deadLetters: DeadLetterStream,
    connection: Connection,
  ) {
    this.queues = [
      [new StoredStream(connection, CHUNK_STREAM), CHUNK_STREAM.subject, '.*'],
      [new StoredStream(connection, DEVICE_LOCATION_STREAM), DEVICE_LOCATION_STREAM.subject, ''],
    ]
  }

  /** Whether chunks and positions of moved devices have not followed them yet: they must not be erased in the former project. */
  async hasUnfinishedMoves(tenant: Tenant): Promise<boolean> {
    const projects = await projectsOf(this.database, tenant)
    const where = { OR: [{ projectId: { in: projects } }, { toProjectId: { in: projects } }] }
    const move = await this.database.deviceMove.findFirst({
      where: { finishedAt: null, ...where },
      select: { id: true },
    })
    return move !== null
  }

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
    const objects = rows.remaining > 0 ? 0 : await this.eraseObjects(projects)
    const letters = await this.deadLetters.deleteSome(tenant, DEAD_LETTERS)
    const left =
      (await countRows(query, [OBJECT_ROWS], values)) + letters.remaining + (await this.countQueued(tenant))
    return { erased: rows.erased + objects + letters.erased, remaining: rows.remaining + left }
  }

  /** The row last: after a crash the object is removed again, which changes nothing. */
  private async eraseObjects(projects: readonly string[]): Promise<number> {
    const rows = await this.database.storedObject.findMany({
      where: { projectId: { in: [...projects] } },
      select: { id: true, storage: true },
      take: OBJECTS,
    })
    for (const { id, storage } of rows) {
      await this.storages.named(storage).remove(id)
      await this.database.storedObject.deleteMany({ where: { id } })
    }
    return rows.length
  }

  /** Queued messages are discarded by their consumers; here they are counted. */
  private async countQueued({ organizationId, projectId }: Tenant): Promise<number> {
    let count = 0
    for (const [queue, subject, devices] of this.queues)
      count += await queue.count(`${subject}.${organizationId}.${projectId ?? '*'}${devices}`)
    return count
  }
}
