import type { Backlog } from '@bearing/service/measure-queues'
import { outboxBacklog } from '@bearing/service/outbox-backlog'
import type { Database } from './database.js'
import type { Mailer } from '../people/mails/mailer.js'
import { mailsBacklog } from '../people/mails/mails-backlog.js'

/** What measures the queues that identity works off, by their label in metrics. Without a mail server no mails wait. */
export function queuesOf(database: Database, { send }: Mailer): Record<string, () => Promise<Backlog>> {
  return {
    outbox: () => outboxBacklog(database),
    ...(send && { mails: () => mailsBacklog(database) }),
  }
}
