import { requestPasswordReset } from '@bearing/contracts/identity/password'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { MailQueue } from '../mails/mail-queue.js'
import { Mailer } from '../mails/mailer.js'

@Controller()
export class RequestPasswordReset {
  constructor(
    private readonly database: Database,
    private readonly mailer: Mailer,
    private readonly mails: MailQueue,
  ) {}

  /**
   * Writes down that somebody has asked, and nothing else: whether there is such an account is looked at later, where
   * nobody waits for the answer. That is also where it is audited.
   */
  @Handle(requestPasswordReset)
  async execute({ email }: Input<typeof requestPasswordReset>): Promise<Output<typeof requestPasswordReset>> {
    this.mailer.refuseUnlessConfigured()
    await this.mails.add(this.database, 'password_reset', email)
    return {}
  }
}
