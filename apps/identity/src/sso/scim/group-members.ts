import type { Transaction } from '../../ground/database.js'

/** Makes users the members of a group. @param before ids of the members until now */
export async function setMembers(
  transaction: Transaction,
  groupId: string,
  before: readonly string[],
  wanted: readonly string[],
): Promise<void> {
  const [had, has] = [new Set(before), new Set(wanted)]
  const left = before.filter((id) => !has.has(id))
  await leaveGroup(transaction, groupId, left)
  const added = wanted.filter((id) => !had.has(id))
  if (added.length === 0) return
  await transaction.$executeRaw`
    UPDATE scim_resources AS r SET group_ids = array_append(r.group_ids, ${groupId}::uuid), version = r.version + 1
    FROM scim_resources AS g
    WHERE g.id = ${groupId}::uuid AND r.connection_id = g.connection_id AND r.type = 'User'
      AND r.id = ANY (${added}::uuid[])`
}

/** Takes users out of a group. */
export async function leaveGroup(
  transaction: Transaction,
  groupId: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length > 0)
    await transaction.$executeRaw`
      UPDATE scim_resources SET group_ids = array_remove(group_ids, ${groupId}::uuid), version = version + 1
      WHERE id = ANY (${[...ids]}::uuid[])`
}
