import { DAY_MS } from '@bearing/contracts/durations'
import type { DataItem } from '@bearing/contracts/management/data/data-item'
import { MAX_INLINE_BYTES } from '@bearing/contracts/management/data/device-data'
import { Injectable } from '@nestjs/common'
import { ChunkPayloads } from '../storage/payloads/chunk-payloads.js'
import { Database } from '../ground/database.js'
import { DataHorizon } from './data-horizon.js'

/** Items and bytes of payloads that one part has at most: less than a message of NATS may have. */
const PART = { items: 1_000, bytes: 262_144 }

/** A place between two items: data from before there were positions has 0, in the order of ids. */
export interface Place {
  readonly position: bigint
  readonly id: string
  /** Time at which the item before it was received, in milliseconds since 1970. */
  readonly atMs: number
}

/** The longest time from when a chunk is received to when it is stored, replayed dead letters among them: older partitions are not read. */
export const LATE_MS = 60 * DAY_MS

/** Before everything. */
export const START: Place = { position: 0n, id: '00000000-0000-0000-0000-000000000000', atMs: 0 }

/** After the item at a position, where positions are unique. */
export const placeAt = (position: bigint, at: Date): Place => ({
  ...{ position, id: 'ffffffff-ffff-ffff-ffff-ffffffffffff', atMs: at.getTime() },
})

type Key = Pick<Place, 'position' | 'id'>

interface Row extends Place {
  readonly item: DataItem
}

/** Rows of one table, and whether there are more. */
interface Rows {
  readonly rows: readonly Row[]
  readonly isAll: boolean
}

/** Query for a project's data. */
export interface DataQuery {
  readonly projectId: string
  readonly since?: Date | undefined
  readonly kinds: readonly string[]
  readonly payloads: 'all' | 'inline' | 'none'
  /** Leaves the payloads out, and returns the same items as with them. */
  readonly isPreview?: boolean
  /** Items and bytes of payloads that a part has at most. */
  readonly most?: { readonly items: number; readonly bytes: number }
}

/** Items after a place, and where to continue; `isAll`: there were no more. */
export interface DataPart {
  readonly items: readonly DataItem[]
  readonly next: Place
  readonly isAll: boolean
}

/** Reads what the devices of a project have sent, in the order in which it was stored. */
@Injectable()
export class DataReader {
  constructor(
    private readonly database: Database,
    private readonly horizon: DataHorizon,
    private readonly payloads: ChunkPayloads,
  ) {}

  /**
   * Returns the items after a place, as many as one part may have.
   *
   * @param until the last position (default: everything that is stored)
   */
  async read(query: DataQuery, after: Place, until?: bigint): Promise<DataPart> {
    return this.readTo(query, after, until ?? (await this.horizon.read()))
  }

  private async readTo(query: DataQuery, after: Place, until: bigint): Promise<DataPart> {
    if (until <= after.position && after.position > 0n) return { items: [], next: after, isAll: true }
    const parts = await Promise.all([
      query.kinds.includes('chunk') ? this.chunks(query, after, until) : NOTHING,
      query.kinds.includes('file') ? this.files(query, after, until) : NOTHING,
    ])
    // Behind the last row of a list that has more, the other one is not complete.
    const ends = parts.filter(({ isAll }) => !isAll).flatMap(({ rows }) => rows.at(-1) ?? [])
    const rows = parts
      .flatMap((part) => part.rows)
      .filter((row) => ends.every((end) => compare(row, end) <= 0))
      .toSorted(compare)
      .slice(0, (query.most ?? PART).items)
    const last = rows.at(-1) ?? after
    const isAll = ends.length === 0 && rows.length < (query.most ?? PART).items
    return { items: rows.map(({ item }) => item), next: last, isAll }
  }

  private async chunks(
    { projectId, since, payloads, isPreview = false, most = PART }: DataQuery,
    after: Place,
    until: bigint,
  ): Promise<Rows> {
    const inline = INLINE[payloads]
    const from = new Date(Math.max(0, after.atMs - LATE_MS, since?.getTime() ?? 0))
    const rows = await this.database.$queryRaw<
      (Key & {
        serial: string
        received_at: Date
        size: number
        data: Uint8Array | null
        objectId: string | null
        objectOffset: number | null
      })[]
    >`
      SELECT c.position, c.id, d.serial, c.received_at, c.size, CASE WHEN c.size <= ${isPreview ? -1 : inline}::integer THEN c.data END AS data,
        c.object_id AS "objectId", c.object_offset AS "objectOffset"
      FROM (
        SELECT *, sum(CASE WHEN size <= ${inline}::integer THEN size ELSE 0 END)
          OVER (ORDER BY position, id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before FROM (
          SELECT position, id, device_id, received_at, size, data, object_id, object_offset FROM device_chunks
          WHERE project_id = ${projectId}::uuid AND (position, id) > (${after.position}::bigint, ${after.id}::uuid)
            AND position <= ${until}::bigint AND received_at >= ${from}::timestamptz
          ORDER BY position, id LIMIT ${most.items}::integer
        ) first
      ) c JOIN devices d ON d.id = c.device_id
      WHERE c.before IS NULL OR c.before < ${most.bytes}::integer
      ORDER BY c.position, c.id`
    const isInline = ({ size }: { readonly size: number }) => size <= inline
    const read = rows.filter(isInline)
    const contents = isPreview ? [] : await this.payloads.read(read)
    const contentOf = new Map(read.map((row, index) => [row, contents[index] ?? null]))
    const bytes = read.reduce((sum, { size }) => sum + size, 0)
    return {
      isAll: rows.length < most.items && bytes < most.bytes,
      rows: rows.map((row) => {
        const { position, id, serial, received_at, size } = row
        const data = contentOf.get(row) ?? null
        const place = { position, id, atMs: received_at.getTime() }
        const at = received_at.toISOString()
        const bytes = data && Buffer.from(data.buffer, data.byteOffset, data.length).toString('base64')
        const common = { cursor: cursorOf(place), id, device_serial: serial, at, size }
        return { ...place, item: { kind: 'chunk', ...common, data: bytes } }
      }),
    }
  }

  private async files(
    { projectId, since, most = PART }: DataQuery,
    after: Place,
    until: bigint,
  ): Promise<Rows> {
    const rows = await this.database.$queryRaw<
      (Key & {
        serial: string | null
        created_at: Date
        size: bigint
        kind: string
        name: string | null
        sha256: string | null
      })[]
    >`
      SELECT f.position, f.id, f.device_serial AS serial, f.created_at, o.size, f.kind, f.name, o.sha256
      FROM files f JOIN stored_objects o ON o.id = f.object_id
      WHERE f.project_id = ${projectId}::uuid AND (f.position, f.id) > (${after.position}::bigint, ${after.id}::uuid)
        AND f.position <= ${until}::bigint AND f.created_at >= ${since ?? EPOCH}::timestamptz
      ORDER BY f.position, f.id LIMIT ${most.items}::integer`
    return {
      isAll: rows.length < most.items,
      rows: rows.map(({ serial, created_at, size, kind, name, sha256, position, id }) => {
        const place = { position, id, atMs: created_at.getTime() }
        const at = created_at.toISOString()
        const common = { cursor: cursorOf(place), id, device_serial: serial, at, size: Number(size) }
        return { ...place, item: { kind: 'file', ...common, file_kind: kind, name, sha256 } }
      }),
    }
  }
}

/** Largest payload that is inline, in bytes. */
const INLINE = { all: 2 ** 31 - 1, inline: MAX_INLINE_BYTES, none: -1 } as const
const EPOCH = new Date(0)
const NOTHING: Rows = { rows: [], isAll: true }

function compare(a: Place, b: Place): number {
  if (a.position !== b.position) return a.position < b.position ? -1 : 1
  return a.id < b.id ? -1 : Number(a.id > b.id)
}

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const CURSOR = new RegExp(`^(\\d{1,18})_(${UUID})_(\\d{1,15})$`)

/** Reads the text of a place. @throws Error where it is not one */
export function readPlace(text: string): Place {
  const [, position, id, atMs] = CURSOR.exec(text) ?? []
  if (position === undefined || id === undefined) throw new Error('this is not a cursor')
  return { position: BigInt(position), id, atMs: Number(atMs) }
}

/** Returns the text of a place. */
export function cursorOf({ position, id, atMs }: Place): string {
  return `${String(position)}_${id}_${String(atMs)}`
}
