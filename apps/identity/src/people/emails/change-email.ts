import { OperationError } from '@bearing/contracts/errors'
import type { Actor } from '@bearing/service/audit/audit-row'
import { Injectable } from '@nestjs/common'
import { recordAudit } from '../../ground/audit/record-audit.js'
import type { Transaction } from '../../ground/database.js'
import { MailQueue } from '../mails/mail-queue.js'
import { endSignIns } from '../sessions/end-sessions.js'

interface Change {
  readonly user: { readonly id: string; readonly email: string }
  readonly email: string
  /** The connection whose provider changes it, if any. Its records of the user follow. */
  readonly connection?: { readonly id: string; readonly organizationId: string }
}

/** Changes the email address of accounts. */
@Injectable()
export class ChangeEmail {
  constructor(private readonly mails: MailQueue) {}

  /**
   * Changes it with the user locked: the old address no longer signs in, all sessions end, and the old address is notified.
   *
   * @throws OperationError `email_taken`, unless another transaction creates the account now: then the database refuses. As
   *   {@link refuseIfManaged} without a connection
   */
  async change(transaction: Transaction, by: Actor, { user, email, connection }: Change): Promise<void> {
    if (!connection) await refuseIfManaged(transaction, user)
    if (await transaction.user.findUnique({ where: { email }, select: { id: true } })) throw emailTaken()
    await transaction.user.update({ where: { id: user.id }, data: { email } })
    if (connection)
      await transaction.scimResource.updateMany({
        where: { connectionId: connection.id, type: 'User', email: user.email },
        data: { email },
      })
    const organizationId = connection?.organizationId ?? null
    recordAudit(transaction, by, {
      ...{ action: 'user.email_changed', target: ['user', user.id], organizationId },
      details: { email_before: user.email, email },
    })
    await this.mails.add(transaction, 'email_changed', user.email)
    await endSignIns(transaction, by, user)
  }
}

/**
 * Refuses the change of an address that a provider pushes by SCIM to an organization of the user: the provider would no longer find the
 * user to deactivate.
 *
 * @throws OperationError `permission_denied`
 */
export async function refuseIfManaged(
  transaction: Pick<Transaction, '$queryRaw'>,
  user: Change['user'],
): Promise<void> {
  const managed = await transaction.$queryRaw<unknown[]>`
    SELECT 1 FROM scim_resources r JOIN memberships m ON m.organization_id = r.organization_id
    WHERE r.type = 'User' AND r.email = ${user.email} AND m.user_id = ${user.id}::uuid LIMIT 1`
  if (managed.length > 0)
    throw new OperationError(
      'permission_denied',
      'The identity provider of your organization manages this email address. Ask an admin of the provider to change it there.',
    )
}

export function emailTaken(): OperationError {
  return new OperationError('email_taken', 'There is an account with this email address already.')
}
