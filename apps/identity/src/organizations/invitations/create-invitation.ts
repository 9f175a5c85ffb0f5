import { OperationError } from '@bearing/contracts/errors'
import { INVITATION_HOURS, createInvitation } from '@bearing/contracts/identity/members/invitation'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { MAX_OPEN_INVITATIONS, refuseBeyond } from '@bearing/contracts/counts/quota'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/ground/clock'
import { Randomness } from '@bearing/service/ground/randomness'
import { Controller } from '@nestjs/common'
import { recordAudit } from '../../ground/audit/record-audit.js'
import { Database, isUniqueViolation, type Transaction } from '../../ground/database.js'
import { MailQueue } from '../../people/mails/mail-queue.js'
import { Mailer } from '../../people/mails/mailer.js'
import { requireAdminGrant, requireAdministrator } from '../members/require-admin.js'
import { refuseForeignProject } from '../project-members/project-scope.js'
import { refuseProjectsTwice } from '../members/refuse-projects-twice.js'
import { inviterOf, toInvitation } from './invitation-row.js'
import { refuseTooSoon } from './refuse-too-soon.js'

/** Lifetime of a link, in milliseconds. */
export const LIFETIME_MS = INVITATION_HOURS * 3_600_000

const QUOTA = {
  ...{ resource: 'invitations', limit: MAX_OPEN_INVITATIONS, raised_by: 'nobody' as const },
  has: 'The organization has too many open invitations',
  remedy: 'Revoke one, or wait until some are accepted or expire',
}

@Controller()
export class CreateInvitation {
  constructor(
    private readonly database: Database,
    private readonly mailer: Mailer,
    private readonly mails: MailQueue,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  @Handle(createInvitation)
  async execute(
    input: Input<typeof createInvitation>,
    by: Principal,
  ): Promise<Output<typeof createInvitation>> {
    this.mailer.refuseUnlessConfigured()
    refuseProjectsTwice(input)
    try {
      return await this.database.transaction((transaction) => this.create(transaction, input, by))
    } catch (error) {
      if (isUniqueViolation(error)) throw invitationPending()
      throw error
    }
  }

  private async create(
    transaction: Transaction,
    input: Input<typeof createInvitation>,
    by: Principal,
  ): Promise<Output<typeof createInvitation>> {
    const { organization_id: organizationId, email, role, projects } = input
    const now = this.clock.now()
    const caller = await requireAdministrator(transaction, organizationId, by, 'invitation:create')
    if (role === 'admin') requireAdminGrant(by)
    await refuseMember(transaction, organizationId, email)
    for (const project of projects)
      await refuseForeignProject(transaction, { organization_id: organizationId, ...project })
    const open = { organizationId, email, acceptedAt: null, revokedAt: null }
    await transaction.invitation.updateMany({
      where: { ...open, expiresAt: { lte: now } },
      data: { revokedAt: now },
    })
    if (await transaction.invitation.findFirst({ where: open, select: { id: true } }))
      throw invitationPending()
    const pending = { organizationId, acceptedAt: null, revokedAt: null, expiresAt: { gt: now } }
    refuseBeyond(QUOTA, await transaction.invitation.count({ where: pending }))
    await refuseTooSoon(transaction, organizationId, email, now)
    const id = this.randomness.newId()
    const sent = { sentAt: now, expiresAt: new Date(now.getTime() + LIFETIME_MS), ...inviterOf(caller) }
    const row = await transaction.invitation.create({
      data: { id, organizationId, email, role, projects, ...sent },
    })
    recordAudit(transaction, by, {
      action: 'invitation.created',
      target: ['invitation', id],
      organizationId,
      details: { email, role, projects: projects.map((project) => `${project.project_id}=${project.role}`) },
    })
    await this.mails.add(transaction, 'invitation', id)
    return toInvitation(row, now)
  }
}

/** Admins may see who is a member, so this reveals nothing about other accounts. */
async function refuseMember(transaction: Transaction, organizationId: string, email: string): Promise<void> {
  const member = await transaction.membership.findFirst({
    where: { organizationId, user: { email } },
    select: { userId: true },
  })
  if (member)
    throw new OperationError(
      'already_member',
      'The user with this email address is a member of the organization already.',
    )
}

function invitationPending(): OperationError {
  return new OperationError(
    'invitation_pending',
    'An invitation for this email address is pending. Send its link again, or revoke it first.',
  )
}
