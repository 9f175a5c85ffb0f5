import { Injectable } from '@nestjs/common'
import { Clock } from '@bearing/service/ground/clock'
import { Database, type Transaction } from '../../ground/database.js'
import { administrationMail } from '../../ground/rules/mail-text.js'
import { tokenState } from '../../ground/rules/token-state.js'
import { MailQueue } from '../../people/mails/mail-queue.js'
import { MailRelay, type ComposedMail, type QueuedMail } from '../../people/mails/mail-relay.js'
import { adminsToMail } from './admins-to-mail.js'

/** Mails the admins of an organization about a new token, or a trust in workloads, that administers it. */
@Injectable()
export class AdministrationMails {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly queue: MailQueue,
    relay: MailRelay,
  ) {
    relay.register('administration_token_created', (mail) => this.compose(mail))
  }

  /**
   * Queues a mail to each admin, in the transaction that creates the token or trust.
   *
   * @param id of the token or trust
   */
  async add(transaction: Transaction, organizationId: string, id: string): Promise<void> {
    const admins = await adminsToMail(transaction, organizationId)
    const subjects = admins.map((userId) => [id, userId].join(' '))
    await this.queue.addAll(transaction, 'administration_token_created', subjects)
  }

  private async compose({ subject }: QueuedMail): Promise<ComposedMail | undefined> {
    const [id = '', userId = ''] = subject.split(' ')
    const [token, trust, user] = await Promise.all([
      this.database.organizationToken.findUnique({ where: { id } }),
      this.database.workloadTrust.findUnique({ where: { id } }),
      this.database.user.findUnique({ where: { id: userId }, select: { email: true } }),
    ])
    const isActive = token && tokenState(token, this.clock.now()) === 'active'
    const found = isActive ? { ...token, text: token.description } : trust && { ...trust, text: trust.name }
    if (!found || !user) return undefined
    const creator = await this.database.user.findUnique({
      where: { id: found.createdBy },
      select: { email: true },
    })
    const createdBy = creator?.email ?? 'a former member'
    const what = isActive ? 'token' : 'trust'
    return { to: user.email, mail: administrationMail({ id, what, text: found.text, createdBy }) }
  }
}
