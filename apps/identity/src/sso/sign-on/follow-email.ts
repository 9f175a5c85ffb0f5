import { OperationError } from '@bearing/contracts/errors'
import type { Actor } from '@bearing/service/audit/audit-row'
import { Injectable } from '@nestjs/common'
import type { Transaction } from '../../ground/database.js'
import type { HeldConnection, LockedUser } from '../../ground/locks.js'
import { ChangeEmail } from '../../people/emails/change-email.js'
import { isInVerifiedDomain } from '../domains/in-verified-domain.js'
import type { Provisioned } from '../scim/apply-record.js'

type Follower = Pick<HeldConnection, 'id' | 'organizationId' | 'followsEmail'>

/** Gives accounts the email address that the provider of a connection has for them. */
@Injectable()
export class FollowEmail {
  constructor(private readonly emails: ChangeEmail) {}

  /**
   * Changes the address of a locked user, if the connection follows addresses and the organization has verified the domains of both: who
   * owns these reads the mail of both anyway. An address that has an account already changes nothing.
   */
  async follow(
    transaction: Transaction,
    by: Actor,
    { id, organizationId, followsEmail }: Follower,
    user: LockedUser,
    email: string,
  ): Promise<void> {
    if (!followsEmail || organizationId === null || email === user.email) return
    for (const address of [email, user.email])
      if (!(await isInVerifiedDomain(transaction, organizationId, address))) return
    if (await transaction.user.findUnique({ where: { email }, select: { id: true } })) return
    await this.emails.change(transaction, by, { user, email, connection: { id, organizationId } })
  }

  /**
   * Does the same for a member whose record was renamed by SCIM.
   *
   * @throws OperationError `precondition_failed` if the record was renamed before its connection was locked
   */
  async followRecord(
    transaction: Transaction,
    { by, organizationId, connectionId: id, followsEmail, user }: Provisioned,
    before: string | null,
    email: string | null,
  ): Promise<void> {
    if (!followsEmail || before === null || email === null || email === before) return
    const where = { organizationId, user: { email: before } }
    if ((await transaction.membership.count({ where })) === 0) return
    if (user?.email !== before)
      throw new OperationError('precondition_failed', 'The resource was changed meanwhile. Read it again.')
    await this.follow(transaction, by, { id, organizationId, followsEmail }, user, email)
  }
}
