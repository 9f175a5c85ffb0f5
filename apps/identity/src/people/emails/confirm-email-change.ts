import { OperationError } from '@bearing/contracts/errors'
import { confirmEmailChange } from '@bearing/contracts/identity/people/email-change'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { ANONYMOUS } from '@bearing/service/audit/audit-row'
import { Clock } from '@bearing/service/ground/clock'
import { Controller } from '@nestjs/common'
import { Database, isUniqueViolation, type Transaction } from '../../ground/database.js'
import { lockUser } from '../../ground/locks.js'
import { hashLinkSecret } from '../../ground/rules/link-secret.js'
import { ChangeEmail, emailTaken } from './change-email.js'

@Controller()
export class ConfirmEmailChange {
  constructor(
    private readonly database: Database,
    private readonly emails: ChangeEmail,
    private readonly clock: Clock,
  ) {}

  @Handle(confirmEmailChange)
  async execute({ secret }: Input<typeof confirmEmailChange>): Promise<Output<typeof confirmEmailChange>> {
    try {
      return await this.database.transaction((transaction) =>
        this.confirm(transaction, hashLinkSecret(secret)),
      )
    } catch (error) {
      // The account was created at the same time.
      if (isUniqueViolation(error)) throw emailTaken()
      throw error
    }
  }

  private async confirm(
    transaction: Transaction,
    hash: Uint8Array<ArrayBuffer>,
  ): Promise<Output<typeof confirmEmailChange>> {
    const live = { OR: [{ newHash: hash }, { oldHash: hash }], expiresAt: { gt: this.clock.now() } }
    const found = await transaction.emailChange.findFirst({ where: live })
    const user = found && (await lockUser(transaction, found.userId))
    // Again, since a concurrent confirmation may have used the link before the lock.
    const change = await transaction.emailChange.findFirst({ where: live })
    if (!user || change?.userId !== user.id) throw notFound()
    const isNew = change.newHash !== null && Buffer.from(change.newHash).equals(hash)
    if (isNew ? change.oldConfirmed : change.newConfirmed) {
      await this.emails.change(transaction, ANONYMOUS, { user, email: change.email })
      return { changed: true }
    }
    const data = isNew ? { newConfirmed: true, newHash: null } : { oldConfirmed: true, oldHash: null }
    await transaction.emailChange.update({ where: { userId: user.id }, data })
    return { changed: false }
  }
}

function notFound(): OperationError {
  return new OperationError(
    'email_change_not_found',
    'The link does not work anymore: it was used, a newer one was sent, or it has expired after 24 hours. Request the change again.',
  )
}
