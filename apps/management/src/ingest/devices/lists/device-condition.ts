import { OperationError, invalidInput } from '@bearing/contracts/errors'
import { ATTRIBUTE_FAULTS, readAttribute } from '@bearing/contracts/management/devices/attribute-text'
import type { AttributeType } from '@bearing/contracts/management/devices/device-attribute'
import type { DeviceFilter } from '@bearing/contracts/management/devices/device-selection'
import { Prisma } from '../../../generated/prisma/client.js'
import type { Database, Transaction } from '../../../ground/database.js'
import type { DeviceIndex, OneVersion } from './device-index.js'

const MINUTE_MS = 60_000
const UNITS_MS = { m: MINUTE_MS, h: 60 * MINUTE_MS, d: 24 * 60 * MINUTE_MS } as const

/** Replaces `silent_for` by a time, so that the filter means the same later. */
export function withFixedTime(filter: DeviceFilter, now: Date): DeviceFilter {
  const { silent_for: silence, ...rest } = filter
  if (silence === undefined) return filter
  const unit = silence.slice(-1) as keyof typeof UNITS_MS // the schema allows nothing else
  const until = Math.max(0, now.getTime() - Number.parseInt(silence, 10) * UNITS_MS[unit])
  const before = Math.min(
    until,
    rest.last_seen_before === undefined ? Infinity : Date.parse(rest.last_seen_before),
  )
  return { ...rest, last_seen_before: new Date(before).toISOString() }
}

/**
 * Returns the condition of a filter: on `devices d`, and with an attribute on `device_attributes a`.
 *
 * @param filter without `silent_for` (see {@link withFixedTime}), and served by the index
 * @throws OperationError `attribute_not_found`; `invalid_input` if a value is not of the attribute's type
 */
export async function deviceCondition(
  database: Database | Transaction,
  projectId: string,
  filter: DeviceFilter,
  index: DeviceIndex,
): Promise<Prisma.Sql> {
  const isByAttribute = index.by === 'attribute' || index.by === 'attribute_value'
  const table = isByAttribute ? Prisma.sql`a` : Prisma.sql`d`
  const all = [Prisma.sql`${table}.project_id = ${projectId}::uuid`]
  if (isByAttribute) all.push(...(await attributeConditions(database, projectId, filter)))
  if (filter.q !== undefined) {
    // The first text behind all texts with this prefix: serial numbers are ASCII.
    const end = filter.q.slice(0, -1) + String.fromCharCode(filter.q.charCodeAt(filter.q.length - 1) + 1)
    all.push(Prisma.sql`${table}.serial >= ${filter.q} AND ${table}.serial < ${end}`)
  }
  all.push(...seenConditions(filter, index))
  return Prisma.join(all, ' AND ')
}

/**
 * Returns the range of minutes, of one version if the filter has one. A range of rows, and not an equation: it leaves Postgres one
 * index for condition and order, so that it does not read all other versions by last seen.
 */
function seenConditions(filter: DeviceFilter, index: DeviceIndex): Prisma.Sql[] {
  const seen =
    filter.seen !== undefined || filter.last_seen_before !== undefined || filter.last_seen_after !== undefined
  const after = filter.last_seen_after === undefined ? 0 : minuteOf(filter.last_seen_after)
  const first = seen && filter.seen !== 'never' ? Math.max(after, 1) : after
  const before = filter.last_seen_before === undefined ? undefined : minuteOf(filter.last_seen_before)
  // A device that was never seen was not last seen before anything.
  const never = before === undefined ? 1 : 0
  const end = filter.seen === 'never' ? never : before
  const version = index.by === 'last_seen' ? index.version : undefined
  if (!version)
    return [
      ...(first > 0 ? [Prisma.sql`d.last_seen_minute >= ${first}::integer`] : []),
      ...(end === undefined ? [] : [Prisma.sql`d.last_seen_minute < ${end}::integer`]),
    ]
  const { value } = version
  const column = versionColumn(version)
  return [
    Prisma.sql`(${column}, d.last_seen_minute) >= (${value}, ${first}::integer)`,
    end === undefined
      ? Prisma.sql`${column} <= ${value}`
      : Prisma.sql`(${column}, d.last_seen_minute) < (${value}, ${end}::integer)`,
  ]
}

export function versionColumn({ column }: OneVersion): Prisma.Sql {
  return column === 'software_version' ? Prisma.sql`d.software_version` : Prisma.sql`d.hardware_version`
}

function minuteOf(time: string): number {
  // Postgres stores it as an integer.
  return Math.min(Math.max(Math.floor(Date.parse(time) / MINUTE_MS), 0), 2_147_483_647)
}

async function attributeConditions(
  database: Database | Transaction,
  projectId: string,
  filter: DeviceFilter,
): Promise<Prisma.Sql[]> {
  const { attribute: name = '', attribute_is, attribute_above, attribute_below } = filter
  const declared = await database.declaredAttribute.findFirst({ where: { projectId, name, deletedAt: null } })
  if (!declared) throw attributeNotFound(name)
  const type = declared.type as AttributeType // checked by the database
  const value = (field: string, text: string) => {
    const read = readAttribute(type, text)
    if (read === undefined)
      throw invalidInput(`/${field}`, `${ATTRIBUTE_FAULTS[type]}, the type of "${name}"`)
    return Prisma.sql`${JSON.stringify(read)}::jsonb`
  }
  const isOrdered = type === 'number' || type === 'time'
  if (attribute_is === undefined && !isOrdered)
    throw invalidInput('/attribute', 'must be a number or a time for attribute_above and attribute_below')
  const conditions = [Prisma.sql`a.number = ${declared.number}`]
  if (attribute_is !== undefined)
    conditions.push(Prisma.sql`a.value = ${value('attribute_is', attribute_is)}`)
  if (attribute_above !== undefined)
    conditions.push(Prisma.sql`a.value > ${value('attribute_above', attribute_above)}`)
  if (attribute_below !== undefined)
    conditions.push(Prisma.sql`a.value < ${value('attribute_below', attribute_below)}`)
  return conditions
}

/** Returns the error for an attribute that the project has not declared. */
export function attributeNotFound(name: string): OperationError {
  return new OperationError(
    'attribute_not_found',
    `The project has not declared the attribute "${name}". Declare it first.`,
  )
}
