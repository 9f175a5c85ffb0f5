import { Email } from '@bearing/contracts/primitives'
import type { Prisma } from '../../generated/prisma/client.js'
import type { Database, Transaction } from '../../ground/database.js'
import { scimInvalid, scimNotFound } from './scim-error.js'
import { parseFilter, type Condition } from './scim-filter.js'
import type { ResourceType, StoredResource } from './scim-resource.js'

interface Related {
  readonly id: string
  readonly name: string
}

type Reader = Pick<Transaction, 'scimResource'> | Database

/** Ids of rows are UUIDs; texts that are none are ids of nothing. */
export const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Returns the type of resources by the last part of their path. @throws OperationError `scim_resource_not_found` */
export function typeOf(resource: string): ResourceType {
  if (resource === 'Users') return 'User'
  if (resource === 'Groups') return 'Group'
  throw scimNotFound()
}

/** @throws OperationError `scim_resource_not_found` */
export async function findRow(
  database: Reader,
  connectionId: string,
  type: ResourceType,
  id: string | undefined,
): Promise<StoredResource> {
  const row =
    id !== undefined && ID.test(id)
      ? await database.scimResource.findFirst({ where: { id, connectionId, type } })
      : null
  if (!row) throw scimNotFound()
  return row
}

/** Returns the members of a group, or the groups of a user. */
export function relatedTo(database: Reader, connectionId: string, row: StoredResource) {
  const where = row.type === 'Group' ? { groupIds: { has: row.id } } : { id: { in: [...row.groupIds] } }
  return database.scimResource.findMany({
    where: { connectionId, ...where },
    select: { id: true, name: true },
    orderBy: { id: 'asc' },
  })
}

/** Returns the same for the resources of one type on a page, in one query. */
export async function relatedToPage(
  database: Reader,
  connectionId: string,
  rows: readonly StoredResource[],
): Promise<(row: StoredResource) => Related[]> {
  const ids = rows.flatMap((row) => (row.type === 'Group' ? [row.id] : row.groupIds))
  const where = rows[0]?.type === 'Group' ? { groupIds: { hasSome: ids } } : { id: { in: ids } }
  const related = await database.scimResource.findMany({
    where: { connectionId, ...where },
    select: { id: true, name: true, groupIds: true },
    orderBy: { id: 'asc' },
  })
  const members = new Map<string, Related[]>(ids.map((id) => [id, []]))
  for (const one of related) for (const groupId of one.groupIds) members.get(groupId)?.push(one)
  return (row) =>
    row.type === 'Group' ? (members.get(row.id) ?? []) : related.filter(({ id }) => row.groupIds.includes(id))
}

/** Returns the condition of a filter on the columns. @throws OperationError `scim_request_invalid` */
export async function whereOf(
  database: Reader,
  connectionId: string,
  type: ResourceType,
  filter: string | undefined,
): Promise<Prisma.ScimResourceWhereInput> {
  const conditions = filter === undefined ? [] : parseFilter(filter)
  const groupsOf = async (userId: string) => {
    const where = { id: userId, connectionId }
    const user = ID.test(userId) ? await database.scimResource.findFirst({ where }) : null
    return { id: { in: user?.groupIds ?? [] } }
  }
  const columns = await Promise.all(
    conditions.map(async (condition) =>
      /^members(?:\.value)?$/.test(condition.attribute)
        ? groupsOf(condition.value)
        : columnOf(type, condition),
    ),
  )
  return { connectionId, type, AND: columns }
}

const NOTHING = { id: { in: [] } }

function emailIs(value: string): Prisma.ScimResourceWhereInput {
  const { data: email } = Email.safeParse(value)
  return email === undefined ? NOTHING : { email }
}

function columnOf(type: ResourceType, { attribute, value }: Condition): Prisma.ScimResourceWhereInput {
  const isUser = type === 'User'
  switch (attribute) {
    case 'id':
      return ID.test(value) ? { id: value } : NOTHING
    case 'externalid':
      return { externalId: value }
    case 'username':
      return isUser ? { name: value.toLowerCase() } : NOTHING
    case 'emails.value':
    case 'emails':
      return emailIs(value)
    case 'active':
      return { active: value === 'true' }
    case 'displayname':
      return isUser ? { attributes: { path: ['displayName'], equals: value } } : { name: value }
    default:
      throw scimInvalid('invalidFilter', `Resources cannot be filtered by "${attribute}".`)
  }
}
