import type { Transaction } from '../../ground/database.js'

/** Data that the provider has pushed about a user. */
export interface ScimRecord {
  readonly active: boolean
  /** Names of the groups. */
  readonly groups: ReadonlySet<string>
}

/** Finds what the provider of a connection has pushed about the user with an email address. @returns undefined if it has not */
export async function findRecord(
  transaction: Transaction,
  connectionId: string,
  email: string,
): Promise<ScimRecord | undefined> {
  const rows = await transaction.scimResource.findMany({
    where: { connectionId, type: 'User', email },
    select: { active: true, groupIds: true },
  })
  if (rows.length === 0) return undefined
  const groups = await transaction.scimResource.findMany({
    where: { connectionId, type: 'Group', id: { in: rows.flatMap(({ groupIds }) => groupIds) } },
    select: { name: true },
  })
  return { active: rows.some(({ active }) => active), groups: new Set(groups.map(({ name }) => name)) }
}
