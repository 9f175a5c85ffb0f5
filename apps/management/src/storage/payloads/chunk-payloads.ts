import { Clock } from '@bearing/service/ground/clock'
import { Randomness } from '@bearing/service/ground/randomness'
import type { Logger } from '@bearing/service/observe/logger'
import { LOGGER } from '@bearing/service/run/runtime-module'
import { warnSeldom } from '@bearing/service/observe/warn-seldom'
import { Inject, Injectable } from '@nestjs/common'
import { Database, type Transaction } from '../../ground/database.js'
import { Storages, type Storage } from '../storage.js'

/** Payloads of a project that are stored together and have fewer bytes stay in their rows: a request to S3 costs more than they do. */
const MIN_BYTES = 16_384
/** Devices notice nothing of an S3 that does not respond: after so many milliseconds payloads go into their rows, */
const WRITE_MS = 2_000
/** and for so long after that nothing is written to S3. */
const PAUSE_MS = 30_000

/** Payloads of one project, in one piece. */
interface Payloads {
  readonly projectId: string
  readonly body: Uint8Array
}

/** Place of a message's payloads: an object, from an offset on. */
export interface ObjectPlace {
  readonly objectId: string
  readonly offset: number
}

/** Places of messages; those that are missing have their payloads in their rows. */
export type Places<Message> = ReadonlyMap<Message, ObjectPlace>

/** Columns of a row that describe its payload. */
interface PayloadRow {
  readonly size: number
  readonly data: Uint8Array | null
  readonly objectId: string | null
  readonly objectOffset: number | null
}

/** Stores payloads of chunks as objects of the file storage, and reads them, wherever they are. */
@Injectable()
export class ChunkPayloads {
  private from: Promise<Date> | undefined
  private pausedUntilMs = 0
  private readonly cannotWrite: (error: unknown) => void

  constructor(
    private readonly database: Database,
    private readonly storages: Storages,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.cannotWrite = warnSeldom(
      logger,
      'payloads of chunks cannot be written to the file storage and are stored in Postgres; trying again in 30 s',
    )
  }

  /**
   * Writes an object for each project whose messages have enough bytes, if the storage responds. Nothing refers to the objects yet:
   * {@link claim} them in the transaction that does, or a sweep deletes them.
   */
  async write<Message extends Payloads>(messages: readonly Message[]): Promise<Places<Message>> {
    const storage = this.storages.current
    const places = new Map<Message, ObjectPlace>()
    if (!storage.storesPayloads || this.clock.nowMs() < this.pausedUntilMs) return places
    const large = [...Map.groupBy(messages, ({ projectId }) => projectId)]
      .map(([projectId, all]) => ({ projectId, all, size: sum(all) }))
      .filter(({ size }) => size >= MIN_BYTES)
    if (large.length === 0 || !(await this.isAllowed())) return places
    const objects = large.map((one) => ({ ...one, id: this.randomness.newId() }))
    try {
      const recorded = await this.record(storage, objects)
      await Promise.all(
        objects
          .filter(({ id }) => recorded.has(id))
          .map(async ({ id, all }) => {
            await storage.write(id, Buffer.concat(all.map(({ body }) => body)), WRITE_MS)
            let offset = 0
            for (const message of all) {
              places.set(message, { objectId: id, offset })
              offset += message.body.length
            }
          }),
      )
    } catch (error) {
      this.pausedUntilMs = this.clock.nowMs() + PAUSE_MS
      this.cannotWrite(error)
    }
    return places
  }

  /** Locks the objects of places, and returns the places whose object is not being deleted. */
  async claim<Message>(transaction: Transaction, places: Places<Message>): Promise<Places<Message>> {
    if (places.size === 0) return places
    const ids = [...new Set([...places.values()].map(({ objectId }) => objectId))]
    const rows = await transaction.$queryRaw<{ id: string }[]>`
      SELECT id FROM chunk_objects WHERE id = ANY (${ids}::uuid[]) AND NOT leaving ORDER BY id FOR UPDATE`
    const usable = new Set(rows.map(({ id }) => id))
    return new Map([...places].filter(([, { objectId }]) => usable.has(objectId)))
  }

  /**
   * Returns payloads in the order of their rows; null for one that was deleted meanwhile.
   *
   * @throws OperationError `service_unavailable` if the file storage does not respond
   */
  async read(rows: readonly PayloadRow[]): Promise<(Uint8Array | null)[]> {
    const objects = Map.groupBy(rows, ({ objectId }) => objectId)
    const read = new Map<string | null, { readonly from: number; readonly bytes: Uint8Array | undefined }>()
    await Promise.all(
      [...objects].map(async ([id, of]) => {
        if (id === null) return
        const from = Math.min(...of.map(({ objectOffset }) => objectOffset ?? 0))
        const until = Math.max(...of.map(({ objectOffset, size }) => (objectOffset ?? 0) + size))
        // Chunks may be empty, ranges may not.
        const storage = this.storages.named('s3')
        const bytes = until > from ? await storage.readRange(id, from, until - from) : new Uint8Array()
        read.set(id, { from, bytes })
      }),
    )
    return rows.map(({ data, objectId, objectOffset, size }) => {
      if (objectId === null) return data
      const { from = 0, bytes } = read.get(objectId) ?? {}
      const at = (objectOffset ?? 0) - from
      return bytes?.subarray(at, at + size) ?? null
    })
  }

  /** Writes the rows of objects before the objects. A project that has been erased gets none. Returns the ids of those written. */
  private async record(
    { name }: Storage,
    objects: readonly { readonly id: string; readonly projectId: string; readonly size: number }[],
  ): Promise<ReadonlySet<string>> {
    const rows = await this.database.$queryRaw<{ id: string }[]>`
      INSERT INTO chunk_objects (id, project_id, storage, size, created_at)
      SELECT object.id, project.id, ${name}::text, object.size, ${this.clock.now()}::timestamptz
      FROM unnest(
        ${objects.map(({ id }) => id)}::uuid[],
        ${objects.map(({ projectId }) => projectId)}::uuid[],
        ${objects.map(({ size }) => size)}::integer[]
      ) AS object (id, project_id, size)
      JOIN projects project ON project.id = object.project_id
      RETURNING id`
    return new Set(rows.map(({ id }) => id))
  }

  /** Returns whether every process can read objects: after the time that the migration has set. */
  private async isAllowed(): Promise<boolean> {
    this.from ??= this.database.$queryRaw<{ from: Date }[]>`
      SELECT greatest(chunk_objects_from(), '1970-01-01') AS "from"`.then(([row]) => row?.from ?? new Date(0))
    try {
      return (await this.from) <= this.clock.now()
    } catch (error) {
      this.from = undefined
      throw error
    }
  }
}

function sum(messages: readonly Payloads[]): number {
  return messages.reduce((size, { body }) => size + body.length, 0)
}
