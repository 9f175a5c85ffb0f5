import { OperationError } from '@bearing/contracts/errors'
import { acceptInvitation } from '@bearing/contracts/identity/invitation'
import type { Input, Output } from '@bearing/contracts/operation'
import type { OrganizationRole } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { ANONYMOUS } from '@bearing/service/audit-row'
import { Clock } from '@bearing/service/clock'
import { Randomness } from '@bearing/service/randomness'
import { Controller } from '@nestjs/common'
import { AuditLog } from '../../ground/audit/audit-log.js'
import { Database, isUniqueViolation, type Transaction } from '../../ground/database.js'
import { MembershipChanges, type MembershipChange } from '../../ground/events/membership-changes.js'
import { lockAdmins } from '../members/lock-admins.js'
import { NewPasswords } from '../../people/passwords/new-passwords.js'
import { Passwords } from '../../people/passwords/passwords.js'
import { lockUserByEmail } from '../../people/users/lock-user.js'
import { refuseTooManyOrganizations } from '../members/refuse-too-many-organizations.js'
import { FindInvitation } from './find-invitation.js'
import { lockInvitation, projectsOf } from './invitation-row.js'

type Invitation = Awaited<ReturnType<typeof lockInvitation>>

/** What accepting came to. */
interface Accepted {
  readonly userId: string
  readonly created: boolean
  readonly change: MembershipChange
}

@Controller()
export class AcceptInvitation {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
    private readonly passwords: Passwords,
    private readonly rules: NewPasswords,
    private readonly invitations: FindInvitation,
    private readonly changes: MembershipChanges,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  /** Of several who use one link at once, one joins. */
  @Handle(acceptInvitation)
  async execute({
    secret,
    password,
  }: Input<typeof acceptInvitation>): Promise<Output<typeof acceptInvitation>> {
    const { email, organizationId } = await this.invitations.bySecret(this.database, secret)
    const passwordHash = await this.hashFor(email, password)
    try {
      const { userId, created, change } = await this.database.transaction(async (transaction) => {
        // An account that is there may be deleted at this very moment.
        await lockUserByEmail(transaction, email)
        const invitation = await this.lock(transaction, secret, organizationId)
        return this.accept(transaction, invitation, passwordHash)
      })
      await this.changes.publish(change)
      return { user_id: userId, email, organization_id: organizationId, account_created: created }
    } catch (error) {
      // The account was made elsewhere at this very moment.
      if (isUniqueViolation(error)) throw hasAccount()
      throw error
    }
  }

  /** @returns undefined where the address has an account already */
  private async hashFor(email: string, password: string | undefined): Promise<string | undefined> {
    const account = await this.database.user.findUnique({ where: { email }, select: { id: true } })
    if (account && password !== undefined) throw hasAccount()
    if (account) return undefined
    if (password === undefined) throw passwordNeeded()
    await this.rules.refuseBad(password, email)
    return this.passwords.hash(password)
  }

  /** Admins come before invitations, as everywhere; what was found before the password was hashed may have changed meanwhile. */
  private async lock(transaction: Transaction, secret: string, organizationId: string): Promise<Invitation> {
    await lockAdmins(transaction, organizationId)
    const { id } = await this.invitations.bySecret(transaction, secret)
    await lockInvitation(transaction, id, organizationId)
    return this.invitations.bySecret(transaction, secret)
  }

  private async accept(
    transaction: Transaction,
    invitation: Invitation,
    passwordHash: string | undefined,
  ): Promise<Accepted> {
    const { id, organizationId } = invitation
    const { userId, created } = await this.account(transaction, invitation, passwordHash)
    const role = await join(transaction, invitation, userId)
    await transaction.invitation.update({
      where: { id },
      data: { acceptedAt: this.clock.now(), acceptedBy: userId },
    })
    await this.audit.record(transaction, ANONYMOUS, {
      action: 'invitation.accepted',
      target: ['invitation', id],
      organizationId,
      details: { user_id: userId, role, account_created: created },
    })
    const change = await this.changes.record(transaction, { organizationId, userId }, role)
    return { userId, created, change }
  }

  /** The account of the address. One that there is already stays exactly as it is. */
  private async account(
    transaction: Transaction,
    { email, organizationId }: Invitation,
    passwordHash: string | undefined,
  ): Promise<{ readonly userId: string; readonly created: boolean }> {
    if (passwordHash === undefined) {
      const user = await transaction.user.findUnique({ where: { email }, select: { id: true } })
      if (!user) throw passwordNeeded()
      return { userId: user.id, created: false }
    }
    const id = this.randomness.newId()
    await transaction.user.create({ data: { id, email, passwordHash, createdAt: this.clock.now() } })
    await this.audit.record(transaction, ANONYMOUS, {
      action: 'user.registered',
      target: ['user', id],
      organizationId,
    })
    return { userId: id, created: true }
  }
}

/**
 * Gives what the invitation gives. Who has come to the organization in another way meanwhile keeps the roles they have:
 * an old link neither raises nor lowers anybody.
 *
 * @returns the role in the organization from now on
 */
async function join(
  transaction: Transaction,
  invitation: Invitation,
  userId: string,
): Promise<OrganizationRole> {
  const place = { userId, organizationId: invitation.organizationId }
  await refuseTooManyOrganizations(transaction, place)
  await transaction.membership.createMany({
    data: [{ ...place, role: invitation.role }],
    skipDuplicates: true,
  })
  await transaction.projectMember.createMany({
    data: projectsOf(invitation).map(({ project_id, role }) => ({ ...place, projectId: project_id, role })),
    skipDuplicates: true,
  })
  const { role } = await transaction.membership.findUniqueOrThrow({
    where: { userId_organizationId: place },
  })
  return role as OrganizationRole // checked by the database
}

function hasAccount(): OperationError {
  return new OperationError(
    'email_taken',
    'There is an account with this address already. Accept without a password: the account joins as it is.',
  )
}

function passwordNeeded(): OperationError {
  const mistake = { pointer: '/password', detail: 'is needed, since the address has no account yet' }
  return new OperationError('invalid_input', `${mistake.pointer} ${mistake.detail}`, { errors: [mistake] })
}
