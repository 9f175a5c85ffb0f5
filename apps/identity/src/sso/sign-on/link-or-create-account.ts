import { OperationError } from '@bearing/contracts/errors'
import { RoleMapping } from '@bearing/contracts/identity/sso/role-mapping'
import { Clock } from '@bearing/service/ground/clock'
import { Randomness } from '@bearing/service/ground/randomness'
import { Injectable } from '@nestjs/common'
import { recordAudit } from '../../ground/audit/record-audit.js'
import type { Transaction } from '../../ground/database.js'
import {
  holdConnection,
  lockIdentity,
  lockUser,
  type HeldConnection,
  type LockedIdentity,
} from '../../ground/locks.js'
import { bySession } from '../../people/sessions/calling-session.js'
import type { ProviderClaims } from '../openid/openid-provider.js'
import { isInVerifiedDomain } from '../domains/in-verified-domain.js'
import { EnterTeam } from '../partner-teams/enter-team.js'
import { findRecord } from '../scim/find-record.js'
import { groupsIn, mappedRoles } from '../role-mapping/mapped-roles.js'
import { FollowEmail } from './follow-email.js'
import { LinkedMeanwhile, joinOrganization, lockForRoles, type Account } from './join-organization.js'

/** A sign-in at a provider. */
export interface SignIn {
  readonly connectionId: string
  readonly claims: ProviderClaims
  /** The user who links their account; undefined for a plain sign-in. */
  readonly linking: string | undefined
}

/** The account of a sign-in. */
export interface SignedIn {
  readonly userId: string
  /** The partner team of the sign-in, if any. */
  readonly partnerTeamId: string | undefined
  /** The reason for opening no session, if the role mapping has just ended the membership. */
  readonly refusal?: OperationError
}

/**
 * Reasons to refuse a person without an account. `not_linked` even if no account with the email address exists, so that addresses
 * cannot be tried.
 */
const OBSTACLES = {
  not_linked:
    'No account is linked with your identity at the provider. If you have an account, sign in with its password once and link it in its settings; otherwise ask an admin of the organization for an invitation.',
  email_missing:
    'The identity provider sent no email address, so no account was created. An admin can let the connection ask for the scope "email", and the provider send the claim "email".',
  email_not_verified:
    'The identity provider does not say that your email address is verified (claim "email_verified"), so no account was created. Verify it there, or ask an admin of the organization for an invitation.',
  domain_not_verified:
    'Your email address is in no domain that the organization has verified, so no account was created. An admin can verify the domain, or invite you.',
  no_role:
    'Your groups at the identity provider give you no role in the organization, so no account was created. Ask an admin of the organization to add you to a group, or to change the role mapping.',
} as const
type Obstacle = keyof typeof OBSTACLES

/**
 * Finds, links or creates the account of a person who signed in at a provider: by the subject there, never by the email
 * address, which providers let people choose and reassign.
 */
@Injectable()
export class LinkOrCreateAccount {
  constructor(
    private readonly teams: EnterTeam,
    private readonly emails: FollowEmail,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  /**
   * @param sessionId of the session that the sign-in opens, the actor of its audit events
   * @throws OperationError `sso_access_denied`, `sso_identity_taken`, `sso_failed`
   * @throws LinkedMeanwhile to be retried once, in a new transaction
   */
  async find(transaction: Transaction, signIn: SignIn, sessionId: string): Promise<SignedIn> {
    const { linking, claims } = signIn
    const expected = linking ?? (await expectedUser(transaction, signIn))
    const user = expected === undefined ? undefined : await lockUser(transaction, expected)
    if (linking !== undefined && !user) throw sessionEnded()
    const admins = await lockForRoles(transaction, signIn.connectionId, expected)
    const connection = await holdConnection(transaction, signIn.connectionId)
    if (!connection) throw new OperationError('sso_failed', 'The connection was closed meanwhile.')
    const team = await this.teams.enter(transaction, connection, claims)
    const organizationId = team ? team.organizationId : connection.organizationId
    const account = await this.account(transaction, connection, signIn, expected)
    const { userId, linkId } = account
    if (linkId !== undefined && linking === undefined)
      recordAudit(transaction, bySession(userId, sessionId), {
        ...{ action: 'user.created', target: ['user', userId], organizationId },
      })
    if (
      user &&
      linkId === undefined &&
      claims.email !== undefined &&
      isVerified(connection, claims.email_verified)
    )
      await this.emails.follow(transaction, bySession(userId, sessionId), connection, user, claims.email)
    const joining = { connection, claims, admins, sessionId, account, team }
    const refusal =
      organizationId === null
        ? undefined
        : await joinOrganization(transaction, { organizationId, userId }, joining)
    if (linkId !== undefined)
      recordAudit(transaction, bySession(userId, sessionId), {
        ...{ action: 'sso_identity.linked', target: ['sso_identity', linkId], organizationId },
        details: { issuer: connection.issuer, subject: claims.sub },
      })
    return { userId, partnerTeamId: team?.id, ...(refusal && { refusal }) }
  }

  private async account(
    transaction: Transaction,
    connection: HeldConnection,
    { claims, linking }: SignIn,
    expected: string | undefined,
  ): Promise<Account> {
    const key = { connectionId: connection.id, issuer: connection.issuer, subject: claims.sub }
    const known = await lockIdentity(transaction, key)
    const linked = known?.userId ?? undefined
    if (linked !== undefined && linking !== undefined && linked !== linking) throw taken()
    if (linked !== undefined && linked !== expected) throw new LinkedMeanwhile()
    if (linked !== undefined) return { userId: linked, mayJoin: false }
    const obstacle = (await wasRemoved(transaction, connection, known, linking))
      ? 'not_linked'
      : await obstacleToJoining(transaction, connection, claims)
    const mayJoin = obstacle === undefined
    const userId = linking ?? (mayJoin ? await this.newAccount(transaction, claims) : undefined)
    if (userId === undefined) throw await whyNotLinked(transaction, key, obstacle)
    const createdAt = this.clock.now()
    const { id: linkId } = known
      ? await transaction.ssoIdentity.update({ where: { id: known.id }, data: { userId, createdAt } })
      : await transaction.ssoIdentity.create({
          data: { id: this.randomness.newId(), ...key, userId, createdAt },
        })
    return { userId, mayJoin, linkId }
  }

  /** @returns undefined if the email address has an account: its owner has to link it */
  private async newAccount(
    transaction: Transaction,
    { email = '' }: ProviderClaims,
  ): Promise<string | undefined> {
    if (await transaction.user.findUnique({ where: { email }, select: { id: true } })) return undefined
    const id = this.randomness.newId()
    await transaction.user.create({ data: { id, email, createdAt: this.clock.now() } })
    return id
  }
}

/** A concurrent sign-in of the same person may have created the account after {@link lockIdentity} found none. */
async function whyNotLinked(
  transaction: Transaction,
  key: Parameters<typeof lockIdentity>[1],
  obstacle: Obstacle = 'not_linked',
): Promise<OperationError | LinkedMeanwhile> {
  const linked = (await lockIdentity(transaction, key))?.userId ?? undefined
  if (linked !== undefined) return new LinkedMeanwhile()
  return new OperationError('sso_access_denied', OBSTACLES[obstacle], { reason: obstacle })
}

/**
 * Returns whether the person signed in before, or the organization removed the account: then an admin has to let them in
 * again. At a partner, the partner decides.
 */
async function wasRemoved(
  transaction: Transaction,
  { organizationId }: HeldConnection,
  known: LockedIdentity | undefined,
  userId: string | undefined,
): Promise<boolean> {
  if (organizationId === null) return false
  if (known || userId === undefined) return known !== undefined
  const where = { organizationId_userId: { organizationId, userId } }
  return (await transaction.formerMember.findUnique({ where })) !== null
}

/**
 * Returns what keeps a newcomer from joining, if anything. It takes a verified email address; at a provider of an organization, in a
 * domain that the organization has verified.
 */
async function obstacleToJoining(
  transaction: Transaction,
  { id, organizationId, justInTime, emailTrusted, roleMapping }: HeldConnection,
  { email, email_verified, all }: ProviderClaims,
): Promise<Obstacle | undefined> {
  const record =
    organizationId !== null && email !== undefined ? await findRecord(transaction, id, email) : undefined
  if (organizationId !== null && !justInTime && !record?.active) return 'not_linked'
  if (email === undefined) return 'email_missing'
  if (!isVerified({ organizationId, emailTrusted }, email_verified)) return 'email_not_verified'
  if (organizationId === null) return undefined
  if (!(await isInVerifiedDomain(transaction, organizationId, email))) return 'domain_not_verified'
  const mapping = RoleMapping.nullable().parse(roleMapping)
  const groups = mapping && (record?.groups ?? groupsIn(mapping, all))
  return mapping && groups && !mappedRoles(mapping, groups) ? 'no_role' : undefined
}

/** Returns whether the provider, or the trust of the connection in it, says that the address of a person is verified. */
function isVerified(
  { organizationId, emailTrusted }: Pick<HeldConnection, 'organizationId' | 'emailTrusted'>,
  said: boolean | undefined,
): boolean {
  return said ?? (emailTrusted && organizationId !== null)
}

/** Returns the linked account before it is locked. The issuer of a connection never changes. */
async function expectedUser(
  transaction: Transaction,
  { connectionId, claims }: SignIn,
): Promise<string | undefined> {
  const where = { connectionId, subject: claims.sub }
  return (await transaction.ssoIdentity.findFirst({ where, select: { userId: true } }))?.userId ?? undefined
}

/** The user who started the link is not signed in anymore. */
export function sessionEnded(): OperationError {
  return new OperationError(
    'sso_failed',
    'The session that started the link has ended. Sign in with your password, and link again.',
    { reason: 'session_ended' },
  )
}

function taken(): OperationError {
  return new OperationError(
    'sso_identity_taken',
    'Another account is linked with your identity at the provider. Unlink that account first.',
  )
}
