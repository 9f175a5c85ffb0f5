import { Clock } from '@bearing/service/ground/clock'
import { Injectable } from '@nestjs/common'
import { Database, type Transaction } from '../../ground/database.js'
import { isDeleted } from '../../ground/tenant-states.js'
import { tokensExpiringMail } from '../../ground/rules/mail-text.js'
import type { ExpiringToken } from '../../ground/rules/expiry-notice.js'
import { adminsToMail } from './admins-to-mail.js'
import { MailQueue } from '../../people/mails/mail-queue.js'
import { MailRelay, type ComposedMail, type QueuedMail } from '../../people/mails/mail-relay.js'

/** The most tokens in one mail, so that the mail's subject in the queue stays small. */
const TOKENS_OF_MAIL = 50

/** Mails the admins of an organization about tokens that are about to expire. */
@Injectable()
export class ExpiryMails {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly queue: MailQueue,
    relay: MailRelay,
  ) {
    relay.register('tokens_expiring', (mail) => this.compose(mail))
  }

  /**
   * Queues one mail per admin and 50 tokens, in the transaction that claims the notices: each notice is queued exactly once.
   * The mail itself repeats only if the process dies between sending it and removing it from the queue.
   */
  async add(transaction: Transaction, tokens: readonly ExpiringToken[]): Promise<void> {
    const byOrganization = new Map<string, string[]>()
    for (const { organizationId, id } of tokens)
      byOrganization.set(organizationId, [...(byOrganization.get(organizationId) ?? []), id])
    for (const [organizationId, ids] of byOrganization) {
      const admins = await adminsToMail(transaction, organizationId)
      for (let at = 0; at < ids.length; at += TOKENS_OF_MAIL) {
        const some = ids.slice(at, at + TOKENS_OF_MAIL)
        const subjects = admins.map((userId) => [organizationId, userId, ...some].join(' '))
        await this.queue.addAll(transaction, 'tokens_expiring', subjects)
      }
    }
  }

  /** Leaves out what was deleted, replaced or expired meanwhile, organizations too, and users who are no longer admins. */
  private async compose({ subject }: QueuedMail): Promise<ComposedMail | undefined> {
    const [organizationId = '', userId = '', ...ids] = subject.split(' ')
    if (await isDeleted(this.database, organizationId)) return undefined
    const [admin, tokens] = await Promise.all([
      this.database.membership.findFirst({
        where: { organizationId, userId, role: 'admin' },
        select: { user: { select: { email: true } } },
      }),
      this.database.organizationToken.findMany({
        where: {
          id: { in: ids },
          organizationId,
          deletedAt: null,
          replacedBy: null,
          expiresAt: { gt: this.clock.now() },
        },
        orderBy: { expiresAt: 'asc' },
        select: { id: true, description: true, expiresAt: true },
      }),
    ])
    const expiring = tokens.flatMap(({ expiresAt, ...token }) => (expiresAt ? { ...token, expiresAt } : []))
    if (!admin || expiring.length === 0) return undefined
    return { to: admin.user.email, mail: tokensExpiringMail(expiring) }
  }
}
