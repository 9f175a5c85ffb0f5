import type { writeScim } from '@bearing/contracts/identity/sso/scim'
import type { Input } from '@bearing/contracts/operation'
import { Email } from '@bearing/contracts/primitives'
import type { Principal } from '@bearing/contracts/principal'
import { Prisma } from '../../generated/prisma/client.js'
import type { Transaction } from '../../ground/database.js'
import { lockAdmins, lockConnection, lockMembers, lockUserByEmail } from '../../ground/locks.js'
import type { AffectedMember, Provisioned } from './apply-record.js'
import { ID } from './scim-rows.js'

interface Where {
  readonly organizationId: string
  readonly connectionId: string
}

/**
 * Locks what a write may change: the account of the user that it names, the admins, the members whose records it names, and the connection.
 *
 * @returns undefined if the organization has no such connection
 */
export async function lockProvisioned(
  transaction: Transaction,
  by: Principal,
  { organizationId, connectionId, input }: Where & { readonly input: Input<typeof writeScim> },
): Promise<Provisioned | undefined> {
  const { resource_id = '' } = input
  const id = ID.test(resource_id) ? resource_id : null
  const named = id === null ? null : await transaction.scimResource.findFirst({ where: { id, connectionId } })
  const email = named?.email ?? null
  const user = email === null ? undefined : await lockUserByEmail(transaction, email)
  const admins = await lockAdmins(transaction, organizationId)
  const texts = textsIn(input.body)
  const ids = texts.filter((text) => ID.test(text))
  const rows = await transaction.$queryRaw<{ readonly userId: string }[]>`
    SELECT DISTINCT m.user_id AS "userId"
    FROM memberships m JOIN users u ON u.id = m.user_id
    WHERE m.organization_id = ${organizationId}::uuid AND u.email IN (
      SELECT email FROM scim_resources WHERE connection_id = ${connectionId}::uuid AND email IS NOT NULL
        AND (id = ${id}::uuid OR id = ANY (${ids}::uuid[]) OR group_ids @> ARRAY[${id}::uuid])
      UNION SELECT unnest(${texts}::text[])) AND ${isVouchedFor({ organizationId, connectionId })}`
  await lockMembers(
    transaction,
    organizationId,
    rows.map(({ userId }) => userId),
  )
  if (!(await lockConnection(transaction, connectionId, organizationId))) return undefined
  const { roleMapping, followsEmail } = await transaction.ssoConnection.findUniqueOrThrow({
    where: { id: connectionId },
    select: { roleMapping: true, followsEmail: true },
  })
  return { by, organizationId, connectionId, roleMapping, followsEmail, admins, user }
}

/**
 * The condition on a user `u` that the provider may speak for them: their address is in a verified domain of the organization, or they
 * have signed in by the connection. Else a provider could remove any member whose address it names.
 */
function isVouchedFor({ organizationId, connectionId }: Where): Prisma.Sql {
  return Prisma.sql`(
    EXISTS (SELECT FROM sso_identities i WHERE i.user_id = u.id AND i.connection_id = ${connectionId}::uuid)
    OR EXISTS (
      SELECT FROM sso_domains d
      WHERE d.organization_id = ${organizationId}::uuid AND d.verified_at IS NOT NULL AND d.domain = split_part(u.email, '@', 2)))`
}

/** Returns the members of the organization that the provider may speak for and whose records have the email addresses or the ids. */
export function membersOf(
  transaction: Transaction,
  of: Where & { readonly emails: readonly string[]; readonly ids: readonly string[] },
): Promise<AffectedMember[]> {
  return transaction.$queryRaw<AffectedMember[]>`
    SELECT u.id AS "userId", u.email FROM memberships m JOIN users u ON u.id = m.user_id
    WHERE m.organization_id = ${of.organizationId}::uuid AND u.email IN (
      SELECT unnest(${[...of.emails]}::text[])
      UNION SELECT email FROM scim_resources
        WHERE connection_id = ${of.connectionId}::uuid AND id = ANY (${[...of.ids]}::uuid[])) AND ${isVouchedFor(of)}
    ORDER BY u.id`
}

/** Returns every text in a body, in lower case: ids of members and email addresses are among them. */
function textsIn(body: unknown): string[] {
  if (typeof body === 'string') return [Email.safeParse(body).data ?? body.toLowerCase()]
  return typeof body === 'object' && body !== null ? Object.values(body).flatMap(textsIn) : []
}
