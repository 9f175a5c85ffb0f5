import { OperationError } from '@bearing/contracts/errors'
import { RoleMapping } from '@bearing/contracts/identity/sso/role-mapping'
import { recordAudit } from '../../ground/audit/record-audit.js'
import type { Transaction } from '../../ground/database.js'
import { recordMembershipChange } from '../../ground/events/membership-changes.js'
import { lockAdmins, lockMembers, type HeldConnection, type Member } from '../../ground/locks.js'
import { isDeleted } from '../../ground/tenant-states.js'
import { refuseTooManyOrganizations } from '../../organizations/members/refuse-too-many-organizations.js'
import { bySession } from '../../people/sessions/calling-session.js'
import type { ProviderClaims } from '../openid/openid-provider.js'
import type { EnteredTeam } from '../partner-teams/enter-team.js'
import { joinProject } from '../partner-teams/join-project.js'
import { applyRoles } from '../role-mapping/apply-roles.js'
import { findRecord, type ScimRecord } from '../scim/find-record.js'
import { groupsIn, mappedRoles } from '../role-mapping/mapped-roles.js'

/** The account that a sign-in found, linked or created. */
export interface Account {
  readonly userId: string
  /** True if the account may become a member of the organization of the connection. */
  readonly mayJoin: boolean
  /** The new link, if any. */
  readonly linkId?: string
}

/** A sign-in whose account is known. */
interface JoiningSignIn {
  readonly connection: HeldConnection
  readonly claims: ProviderClaims
  /** Locked, if the connection had a role mapping before it was held. */
  readonly admins: ReadonlySet<string> | undefined
  readonly sessionId: string
  readonly account: Account
  readonly team: EnteredTeam | undefined
}

/** Another transaction has linked the person, or given the connection a role mapping, meanwhile. */
export class LinkedMeanwhile extends Error {
  override readonly name = 'LinkedMeanwhile'
}

/**
 * Locks the roles that a role mapping of the connection may change, before the connection is held.
 *
 * @returns the admins of the organization; undefined without a role mapping
 */
export async function lockForRoles(
  transaction: Transaction,
  connectionId: string,
  userId: string | undefined,
): Promise<ReadonlySet<string> | undefined> {
  const row = await transaction.ssoConnection.findUnique({
    where: { id: connectionId },
    select: { organizationId: true, roleMapping: true },
  })
  if (!row?.organizationId || row.roleMapping === null) return undefined
  const admins = await lockAdmins(transaction, row.organizationId)
  if (userId !== undefined) await lockMembers(transaction, row.organizationId, [userId])
  return admins
}

/**
 * Makes the user a member if allowed, applies the role mapping, and refuses users who are no members then.
 *
 * @returns the refusal of a user whose membership has ended just now, which has to be committed
 * @throws OperationError `sso_access_denied`
 */
export async function joinOrganization(
  transaction: Transaction,
  member: Member,
  joining: JoiningSignIn,
): Promise<OperationError | undefined> {
  const { connection, claims, admins, sessionId, account, team } = joining
  const mapping = RoleMapping.nullable().parse(connection.roleMapping)
  const record = team ? undefined : await recordOf(transaction, connection.id, member.userId)
  if (record && !record.active) throw notAMember()
  const mayReturn = account.mayJoin || (await isAllowedBack(transaction, member, joining, record))
  if (!mapping) {
    // The partner decides at every sign-in who belongs to a team.
    await join(transaction, member, sessionId, team ?? (record ? mayReturn : account.mayJoin))
    return undefined
  }
  if (!admins) throw new LinkedMeanwhile()
  const result = await applyRoles(transaction, {
    by: bySession(member.userId, sessionId),
    member,
    connectionId: connection.id,
    roles: mappedRoles(mapping, record ? record.groups : groupsIn(mapping, claims.all)),
    admins,
    mayJoin: mayReturn && !(await isDeleted(transaction, member.organizationId)),
  })
  if (result === 'none') throw notAMember()
  return result === 'removed' ? notAMember() : undefined
}

/** Returns what the provider has pushed about a user. */
async function recordOf(
  transaction: Transaction,
  connectionId: string,
  id: string,
): Promise<ScimRecord | undefined> {
  const user = await transaction.user.findUnique({ where: { id }, select: { email: true } })
  return user ? findRecord(transaction, connectionId, user.email) : undefined
}

/** Users that the role mapping or the provider has removed come back; users that an admin has removed do not. */
async function isAllowedBack(
  transaction: Transaction,
  { organizationId, userId }: Member,
  { connection, account }: JoiningSignIn,
  record: ScimRecord | undefined,
): Promise<boolean> {
  const isProvisioned = connection.roleMapping !== null && connection.justInTime
  if ((!isProvisioned && !record) || account.linkId !== undefined) return false
  const where = { organizationId_userId: { organizationId, userId } }
  return (await transaction.formerMember.findUnique({ where })) === null
}

/** A deleted organization gets no new members. */
async function join(
  transaction: Transaction,
  member: Member,
  sessionId: string,
  mayJoin: boolean | EnteredTeam,
): Promise<void> {
  const { organizationId, userId } = member
  const isAdded = mayJoin !== false && !(await isDeleted(transaction, organizationId))
  if (isAdded && mayJoin === true) await refuseTooManyOrganizations(transaction, member)
  const data = isAdded ? [{ ...member, role: 'member' }] : []
  const { count } = await transaction.membership.createMany({ data, skipDuplicates: true })
  if (count > 0) {
    recordAudit(transaction, bySession(userId, sessionId), {
      ...{ action: 'membership.granted', target: ['user', userId], organizationId },
      details: { role: 'member' },
    })
    if (typeof mayJoin === 'object')
      await joinProject(transaction, bySession(userId, sessionId), member, mayJoin.id)
    recordMembershipChange(transaction, member, 'member')
  } else if (!(await transaction.membership.findUnique({ where: { userId_organizationId: member } }))) {
    throw notAMember()
  }
}

function notAMember(): OperationError {
  return new OperationError(
    'sso_access_denied',
    'You are not a member of the organization. Ask an admin of it to add you.',
    { reason: 'not_a_member' },
  )
}
