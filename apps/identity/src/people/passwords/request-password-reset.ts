import { requestPasswordReset } from '@bearing/contracts/identity/people/password'
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

  /** Only queues the request. The mail relay looks the account up later, so response times reveal nothing. */
  @Handle(requestPasswordReset)
  async execute({ email }: Input<typeof requestPasswordReset>): Promise<Output<typeof requestPasswordReset>> {
    this.mailer.refuseUnlessConfigured()
    await this.mails.add(this.database, 'password_reset', email)
    return {}
  }
}
