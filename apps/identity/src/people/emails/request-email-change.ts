import { OperationError } from '@bearing/contracts/errors'
import { EMAIL_CHANGE_HOURS, requestEmailChange } from '@bearing/contracts/identity/people/email-change'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/ground/clock'
import { Controller } from '@nestjs/common'
import { recordAudit } from '../../ground/audit/record-audit.js'
import { Database } from '../../ground/database.js'
import { lockUser } from '../../ground/locks.js'
import { MailQueue } from '../mails/mail-queue.js'
import { Mailer } from '../mails/mailer.js'
import { NoticeLimit } from '../mails/notice-limit.js'
import { callingUser } from '../users/calling-user.js'
import { refuseIfManaged } from './change-email.js'

@Controller()
export class RequestEmailChange {
  constructor(
    private readonly database: Database,
    private readonly mailer: Mailer,
    private readonly mails: MailQueue,
    private readonly limit: NoticeLimit,
    private readonly clock: Clock,
  ) {}

  /** Looks up no other account: the mail relay does, so neither the response nor its time reveals one. */
  @Handle(requestEmailChange)
  async execute(
    { email }: Input<typeof requestEmailChange>,
    by: Principal,
  ): Promise<Output<typeof requestEmailChange>> {
    const { userId } = callingUser(by)
    this.mailer.refuseUnlessConfigured()
    if (!(await this.limit.take('email_change', userId)))
      throw new OperationError('rate_limited', 'You requested too many changes. Try again tomorrow.', {
        retry_after: 86_400,
      })
    const expiresAt = new Date(this.clock.nowMs() + EMAIL_CHANGE_HOURS * 3_600_000)
    await this.database.transaction(async (transaction) => {
      const user = await lockUser(transaction, userId)
      if (!user) throw new OperationError('credential_invalid', 'The account does not exist anymore.')
      await refuseIfManaged(transaction, user)
      await transaction.emailChange.deleteMany({ where: { userId } })
      await transaction.emailChange.create({ data: { userId, email, expiresAt } })
      recordAudit(transaction, by, {
        ...{ action: 'user.email_change_requested', target: ['user', userId] },
        details: { email },
      })
      await this.mails.add(transaction, 'email_change_new', userId)
      await this.mails.add(transaction, 'email_change_old', userId)
    })
    return {}
  }
}
