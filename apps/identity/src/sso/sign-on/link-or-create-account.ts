import { OperationError } from '@bearing/contracts/errors'
import type { AuditRecord } from '@bearing/service/audit-row'
import { Clock } from '@bearing/service/clock'
import { Randomness } from '@bearing/service/randomness'
import { Injectable } from '@nestjs/common'
import type { Action } from '../../ground/audit/audit-log.js'
import type { Transaction } from '../../ground/database.js'
import {
  MembershipChanges,
  type MembershipChange,
  type Place,
} from '../../ground/events/membership-changes.js'
import type { ArrivedClaims } from '../openid/openid-provider.js'
import { EnterTeam } from '../partner-teams/enter-team.js'
import { lockUser } from '../../people/users/lock-user.js'
import { refuseTooManyOrganizations } from '../../organizations/members/refuse-too-many-organizations.js'
import { holdConnection, type HeldConnection } from './hold-connection.js'

/** Somebody who has signed in at a provider. */
export interface Arrival {
  readonly connectionId: string
  readonly claims: ArrivedClaims
  /** The user who links their account; undefined where it is a sign-in. */
  readonly linking: string | undefined
}

/** What a link is found by. */
interface IdentityKey {
  readonly connectionId: string
  readonly issuer: string
  readonly subject: string
}

/** What everybody becomes by arriving. */
const MEMBER = { role: 'member' } as const

/** Who it is. */
export interface Arrived {
  readonly userId: string
  /** To be published after the commit, where they became a member. */
  readonly joined: MembershipChange | undefined
  /** The team that they came with from a partner; undefined: from none. */
  readonly partnerTeamId: string | undefined
  /** To be written down last of all, since who writes into the same log waits for it. */
  readonly auditRecords: readonly AuditRecord<Action>[]
}

/**
 * Finds the account of somebody who has signed in at a provider: by who they are there, never by their e-mail address,
 * which providers let people choose and give to others later.
 */
@Injectable()
export class Arrive {
  constructor(
    private readonly memberships: MembershipChanges,
    private readonly teams: EnterTeam,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  /**
   * @throws OperationError `sso_access_denied`, `sso_identity_taken`, `sso_failed`
   * @throws LinkedMeanwhile where it is to be tried once more, in a transaction of its own
   */
  async arrive(transaction: Transaction, arrival: Arrival): Promise<Arrived> {
    // The account comes before every other lock: it may be deleted at this very moment.
    const expected = arrival.linking ?? (await expectedUser(transaction, arrival))
    const isThere = expected !== undefined && (await lockUser(transaction, expected)) !== undefined
    if (arrival.linking !== undefined && !isThere) throw sessionEnded()
    const connection = await holdConnection(transaction, arrival.connectionId)
    const team = await this.teams.enter(transaction, connection, arrival.claims)
    const organizationId = team ? team.organizationId : connection.organizationId
    const { userId, mayJoin, linkId } = await this.account(transaction, connection, arrival, expected)
    const place = organizationId === null ? undefined : { organizationId, userId }
    if (place && mayJoin && !team) await refuseTooManyOrganizations(transaction, place)
    // Who belongs to a team is for the partner to say, at every arrival.
    const joined = place && (team ?? mayJoin) ? await this.join(transaction, place) : undefined
    if (place) await this.refuseStranger(transaction, place)
    const { linking, claims } = arrival
    const isNew = linkId !== undefined && linking === undefined
    const auditRecords: AuditRecord<Action>[] = [
      ...(isNew ? [{ action: 'user.created', target: ['user', userId] } as const] : []),
      ...(joined
        ? [{ action: 'membership.granted', target: ['user', userId], details: MEMBER } as const]
        : []),
      ...(linkId === undefined
        ? []
        : [
            {
              action: 'sso_identity.linked',
              target: ['sso_identity', linkId],
              details: { issuer: connection.issuer, subject: claims.sub },
            } as const,
          ]),
    ]
    return {
      userId,
      joined,
      partnerTeamId: team?.id,
      auditRecords: auditRecords.map((record) => ({ ...record, organizationId })),
    }
  }

  /** The account; where there is no link yet, with one from now on. */
  private async account(
    transaction: Transaction,
    connection: HeldConnection,
    arrival: Arrival,
    expected: string | undefined,
  ) {
    const { claims, linking } = arrival
    const key = { connectionId: connection.id, issuer: connection.issuer, subject: claims.sub }
    const known = await findKnown(transaction, key)
    const linked = known?.userId ?? undefined
    if (linked !== undefined && linking !== undefined && linked !== linking) throw taken()
    if (linked !== undefined && linked !== expected) throw new LinkedMeanwhile()
    if (linked !== undefined) return { userId: linked, mayJoin: false, linkId: undefined }
    const mayJoin =
      !(await this.hasLeft(transaction, connection, known, linking)) &&
      (await this.mayJoin(transaction, connection, claims))
    const userId = linking ?? (mayJoin ? await this.newAccount(transaction, claims) : undefined)
    if (userId === undefined) throw notLinked()
    const createdAt = this.clock.now()
    const { id: linkId } = known
      ? await transaction.ssoIdentity.update({ where: { id: known.id }, data: { userId, createdAt } })
      : await transaction.ssoIdentity.create({
          data: { id: this.randomness.newId(), ...key, userId, createdAt },
        })
    return { userId, mayJoin, linkId }
  }

  /**
   * Whether the person was here before, or the organization has removed the account: then it takes somebody of the
   * organization to let them in again. At a partner's it is for the partner to say.
   */
  private async hasLeft(
    transaction: Transaction,
    { organizationId }: HeldConnection,
    known: KnownIdentity | undefined,
    linking: string | undefined,
  ): Promise<boolean> {
    if (organizationId === null) return false
    if (known || linking === undefined) return known !== undefined
    const where = { organizationId_userId: { organizationId, userId: linking } }
    return (await transaction.formerMember.findUnique({ where })) !== null
  }

  /**
   * Only with the provider's word that the address was verified; and at an organization's own provider, where the domain of
   * the address is one that the organization has shown to be its own.
   */
  private async mayJoin(
    transaction: Transaction,
    { organizationId, justInTime }: HeldConnection,
    { email, email_verified }: ArrivedClaims,
  ): Promise<boolean> {
    if (email === undefined || email_verified !== true) return false
    if (organizationId === null) return true
    if (!justInTime) return false
    const domain = email.slice(email.lastIndexOf('@') + 1)
    const where = { organizationId, domain, verifiedAt: { not: null } }
    return (await transaction.ssoDomain.count({ where })) > 0
  }

  /** Where there is an account with the address, its owner has to say that it is theirs: nobody gets it by an address. */
  private async newAccount(
    transaction: Transaction,
    { email = '' }: ArrivedClaims,
  ): Promise<string | undefined> {
    if (await transaction.user.findUnique({ where: { email }, select: { id: true } })) return undefined
    const id = this.randomness.newId()
    await transaction.user.create({ data: { id, email, createdAt: this.clock.now() } })
    return id
  }

  /** @returns undefined where they are a member already */
  private async join(transaction: Transaction, place: Place): Promise<MembershipChange | undefined> {
    const { count } = await transaction.membership.createMany({
      data: [{ ...place, role: 'member' }],
      skipDuplicates: true,
    })
    if (count === 0) return undefined
    return this.memberships.record(transaction, place, 'member')
  }

  /** Whoever was removed from the organization stays out, whatever its provider says. */
  private async refuseStranger(transaction: Transaction, place: Place): Promise<void> {
    if (await transaction.membership.findUnique({ where: { userId_organizationId: place } })) return
    throw new OperationError(
      'sso_access_denied',
      'You are not a member of the organization. Ask an admin of it to add you.',
      { reason: 'not_a_member' },
    )
  }
}

/** Somebody else has linked the person while we looked. */
export class LinkedMeanwhile extends Error {
  override readonly name = 'LinkedMeanwhile'
}

/** Somebody who was here before. */
interface KnownIdentity {
  readonly id: string
  /** Null: the link was taken away, or went with its account. */
  readonly userId: string | null
}

/** The account that somebody will find, unless that changes while we wait for it. */
async function expectedUser(
  transaction: Transaction,
  { connectionId, claims }: Arrival,
): Promise<string | undefined> {
  // The issuer of a connection never changes.
  const where = { connectionId, subject: claims.sub }
  return (await transaction.ssoIdentity.findFirst({ where, select: { userId: true } }))?.userId ?? undefined
}

/** Who unlinks at that moment waits, and then ends this session too. */
async function findKnown(
  transaction: Transaction,
  { connectionId, issuer, subject }: IdentityKey,
): Promise<KnownIdentity | undefined> {
  const rows = await transaction.$queryRaw<KnownIdentity[]>`
    SELECT id, user_id AS "userId" FROM sso_identities
    WHERE connection_id = ${connectionId}::uuid AND issuer = ${issuer} AND subject = ${subject}
    FOR UPDATE`
  return rows[0]
}

/** The same answer whether or not there is an account: addresses are not to be tried out here. */
function notLinked(): OperationError {
  return new OperationError(
    'sso_access_denied',
    'No account is linked with who you are at the identity provider. If you have one, sign in with its password once and link it in its settings; else ask an admin of the organization for an invitation.',
    { reason: 'not_linked' },
  )
}

/** Whoever wanted to link their account is not signed in any more. */
export function sessionEnded(): OperationError {
  return new OperationError(
    'sso_failed',
    'The session that wanted to link its account has ended meanwhile. Sign in with your password, and link again.',
    { reason: 'session_ended' },
  )
}

function taken(): OperationError {
  return new OperationError(
    'sso_identity_taken',
    'Another account is linked with who you are at the identity provider. Unlink that one first.',
  )
}
