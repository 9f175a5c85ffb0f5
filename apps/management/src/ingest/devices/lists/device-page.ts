import type { AttributeValue } from '@bearing/contracts/management/devices/device-attribute'
import { Prisma } from '../../../generated/prisma/client.js'
import type { Database, Transaction } from '../../../ground/database.js'
import type { DeviceRow } from '../device-row.js'
import type { DeviceCursor } from './device-cursor.js'
import { versionColumn } from './device-condition.js'
import type { DeviceIndex } from './device-index.js'

/** A device, and its place in its list. */
export interface ListedDevice extends DeviceRow {
  readonly minute: number
  /** Of the attribute, in lists by value. */
  readonly value: AttributeValue | null
}

const COLUMNS = Prisma.sql`
  d.id, d.serial, d.hardware_version AS "hardwareVersion", d.software_type AS "softwareType",
  d.software_version AS "softwareVersion", d.first_seen_at AS "firstSeenAt", d.last_seen_at AS "lastSeenAt",
  d.chunk_count AS "chunkCount", d.chunk_bytes AS "chunkBytes", d.registered_at AS "registeredAt", d.sampling, d.nickname,
  d.last_seen_minute AS minute`

/** Devices of a list to read. */
export interface PageRange {
  /** Behind this device. Undefined: from the first on. */
  readonly after?: DeviceCursor | undefined
  readonly skip?: number
  readonly take: number
}

/**
 * Returns the statement that reads a page.
 *
 * Every order is one direction of an index, and a page starts behind a row of this index.
 */
export function pageStatement(
  condition: Prisma.Sql,
  index: DeviceIndex,
  { after, skip = 0, take }: PageRange,
): Prisma.Sql {
  const direction = index.descending ? Prisma.sql`DESC` : Prisma.sql`ASC`
  const beyond = index.descending ? Prisma.sql`<` : Prisma.sql`>`
  const range = Prisma.sql`LIMIT ${take}::integer OFFSET ${skip}::bigint`
  switch (index.by) {
    case 'serial': {
      const start = after ? Prisma.sql` AND d.serial ${beyond} ${after.serial}` : Prisma.empty
      return Prisma.sql`
        SELECT ${COLUMNS}, NULL AS value FROM devices d WHERE ${condition}${start}
        ORDER BY d.serial ${direction} ${range}`
    }
    case 'last_seen': {
      const { version } = index
      const columns = indexColumns(index)
      const place = after && [
        ...(version ? [Prisma.sql`${version.value}`] : []),
        Prisma.sql`${after.minute}::integer`,
        Prisma.sql`${after.serial}`,
      ]
      const start = place
        ? Prisma.sql` AND (${Prisma.join(columns)}) ${beyond} (${Prisma.join(place)})`
        : Prisma.empty
      const order = columns.map((column) => Prisma.sql`${column} ${direction}`)
      return Prisma.sql`
        SELECT ${COLUMNS}, NULL AS value FROM devices d WHERE ${condition}${start}
        ORDER BY ${Prisma.join(order)} ${range}`
    }
    case 'attribute': {
      const start = after ? Prisma.sql` AND a.serial ${beyond} ${after.serial}` : Prisma.empty
      const order = (table: Prisma.Sql) => Prisma.sql`ORDER BY ${table}.serial ${direction}`
      return ofAttribute(condition, start, order, range)
    }
    case 'attribute_value': {
      const start = after
        ? Prisma.sql` AND (a.value, a.serial) > (${JSON.stringify(after.value)}::jsonb, ${after.serial})`
        : Prisma.empty
      const order = (table: Prisma.Sql) => Prisma.sql`ORDER BY ${table}.value, ${table}.serial`
      return ofAttribute(condition, start, order, range)
    }
  }
}

/** Reads the page in the index of values first: a join would let Postgres choose to sort all devices. */
function ofAttribute(
  condition: Prisma.Sql,
  start: Prisma.Sql,
  order: (table: Prisma.Sql) => Prisma.Sql,
  range: Prisma.Sql,
): Prisma.Sql {
  const [inner, outer] = [order(Prisma.sql`a`), order(Prisma.sql`found`)]
  return Prisma.sql`
    WITH found AS MATERIALIZED (
      SELECT a.device_id, a.value, a.serial FROM device_attributes a WHERE ${condition}${start} ${inner} ${range}
    )
    SELECT ${COLUMNS}, found.value FROM found JOIN devices d ON d.id = found.device_id ${outer}`
}

export function readPage(
  database: Database | Transaction,
  condition: Prisma.Sql,
  index: DeviceIndex,
  range: PageRange,
): Promise<ListedDevice[]> {
  return database.$queryRaw<ListedDevice[]>(pageStatement(condition, index, range))
}

/** Returns the statement that counts the devices of a list, up to a number, in the index of the list. */
export function countStatement(
  condition: Prisma.Sql,
  index: DeviceIndex,
  upTo: number | undefined,
): Prisma.Sql {
  const isOfDevices = index.by === 'serial' || index.by === 'last_seen'
  const table = isOfDevices ? Prisma.sql`devices d` : Prisma.sql`device_attributes a`
  if (upTo === undefined)
    return Prisma.sql`SELECT count(*)::integer AS count FROM ${table} WHERE ${condition}`
  return Prisma.sql`
    SELECT count(*)::integer AS count FROM (
      SELECT 1 FROM ${table} WHERE ${condition} ORDER BY ${Prisma.join(indexColumns(index))} LIMIT ${upTo}::integer
    ) counted`
}

function indexColumns(index: DeviceIndex): Prisma.Sql[] {
  switch (index.by) {
    case 'serial':
      return [Prisma.sql`d.serial`]
    case 'last_seen':
      return [
        ...(index.version ? [versionColumn(index.version)] : []),
        Prisma.sql`d.last_seen_minute`,
        Prisma.sql`d.serial`,
      ]
    case 'attribute':
      return [Prisma.sql`a.serial`]
    case 'attribute_value':
      return [Prisma.sql`a.value`, Prisma.sql`a.serial`]
  }
}

/** Counts the devices of a list. @param upTo where counting ends; undefined: nowhere */
export async function countDevices(
  database: Database | Transaction,
  condition: Prisma.Sql,
  index: DeviceIndex,
  upTo?: number,
): Promise<number> {
  const [row] = await database.$queryRaw<{ count: number }[]>(countStatement(condition, index, upTo))
  return row?.count ?? 0
}
