import { OperationError, invalidInput } from '@bearing/contracts/errors'
import { acceptInvitation } from '@bearing/contracts/identity/members/invitation'
import type { Input, Output } from '@bearing/contracts/operation'
import type { OrganizationRole } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { ANONYMOUS } from '@bearing/service/audit/audit-row'
import { Clock } from '@bearing/service/ground/clock'
import { Randomness } from '@bearing/service/ground/randomness'
import { Controller } from '@nestjs/common'
import { recordAudit } from '../../ground/audit/record-audit.js'
import { Database, isUniqueViolation, type Transaction } from '../../ground/database.js'
import { recordMembershipChange } from '../../ground/events/membership-changes.js'
import { lockAdmins, lockUserByEmail } from '../../ground/locks.js'
import { NewPasswords } from '../../people/passwords/new-passwords.js'
import { Passwords } from '../../people/passwords/passwords.js'
import { refuseTooManyOrganizations } from '../members/refuse-too-many-organizations.js'
import { FindInvitation } from './find-invitation.js'
import { lockedInvitation, projectsOf } from './invitation-row.js'

type Invitation = Awaited<ReturnType<typeof lockedInvitation>>

@Controller()
export class AcceptInvitation {
  constructor(
    private readonly database: Database,
    private readonly passwords: Passwords,
    private readonly rules: NewPasswords,
    private readonly invitations: FindInvitation,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  /** If several callers use one link at the same time, one of them joins. */
  @Handle(acceptInvitation)
  async execute({
    secret,
    password,
  }: Input<typeof acceptInvitation>): Promise<Output<typeof acceptInvitation>> {
    const { email, organizationId } = await this.invitations.bySecret(this.database, secret)
    const passwordHash = await this.hashFor(email, password)
    try {
      const accepted = await this.database.transaction(async (transaction) => {
        await lockUserByEmail(transaction, email)
        const invitation = await this.lock(transaction, secret, organizationId)
        return this.accept(transaction, invitation, passwordHash)
      })
      return { ...accepted, email, organization_id: organizationId }
    } catch (error) {
      // The account was created at the same time.
      if (isUniqueViolation(error)) throw hasAccount()
      throw error
    }
  }

  /** @returns undefined if the email address has an account already */
  private async hashFor(email: string, password: string | undefined): Promise<string | undefined> {
    const account = await this.database.user.findUnique({ where: { email }, select: { id: true } })
    if (account && password !== undefined) throw hasAccount()
    if (account) return undefined
    if (password === undefined) throw passwordNeeded()
    await this.rules.refuseBad(password, email)
    return this.passwords.hash(password)
  }

  /** Reads the invitation again, since hashing the password takes time. */
  private async lock(transaction: Transaction, secret: string, organizationId: string): Promise<Invitation> {
    await lockAdmins(transaction, organizationId)
    const { id } = await this.invitations.bySecret(transaction, secret)
    await lockedInvitation(transaction, id, organizationId)
    return this.invitations.bySecret(transaction, secret)
  }

  private async accept(
    transaction: Transaction,
    invitation: Invitation,
    passwordHash: string | undefined,
  ): Promise<{ user_id: string; account_created: boolean }> {
    const { id, organizationId } = invitation
    const { userId, created } = await this.account(transaction, invitation, passwordHash)
    const role = await join(transaction, invitation, userId)
    await transaction.invitation.update({
      where: { id },
      data: { acceptedAt: this.clock.now(), acceptedBy: userId },
    })
    recordAudit(transaction, ANONYMOUS, {
      action: 'invitation.accepted',
      target: ['invitation', id],
      organizationId,
      details: { user_id: userId, role, account_created: created },
    })
    recordMembershipChange(transaction, { organizationId, userId }, role)
    return { user_id: userId, account_created: created }
  }

  /** Returns the account of the email address. An existing one stays exactly as it is. */
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
    const target = ['user', id] as const
    recordAudit(transaction, ANONYMOUS, { action: 'user.registered', target, organizationId })
    return { userId: id, created: true }
  }
}

/**
 * Grants the roles of the invitation. A user who joined in another way meanwhile keeps their roles: an old link neither
 * promotes nor demotes.
 *
 * @returns the role in the organization
 */
async function join(
  transaction: Transaction,
  invitation: Invitation,
  userId: string,
): Promise<OrganizationRole> {
  const member = { userId, organizationId: invitation.organizationId }
  await refuseTooManyOrganizations(transaction, member)
  await transaction.membership.createMany({
    data: [{ ...member, role: invitation.role }],
    skipDuplicates: true,
  })
  await transaction.projectMember.createMany({
    data: projectsOf(invitation).map(({ project_id, role }) => ({ ...member, projectId: project_id, role })),
    skipDuplicates: true,
  })
  const where = { userId_organizationId: member }
  const { role } = await transaction.membership.findUniqueOrThrow({ where })
  return role as OrganizationRole // checked by the database
}

function hasAccount(): OperationError {
  return new OperationError(
    'email_taken',
    'There is an account with this email address already. Accept without a password: the account joins as it is.',
  )
}

function passwordNeeded(): OperationError {
  return invalidInput('/password', 'is needed, since the email address has no account yet')
}
