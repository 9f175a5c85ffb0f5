import { clientNetwork } from '@bearing/access/client-network'
import { currentCall } from '@bearing/nats/call-context'
import type { Actor } from '@bearing/service/audit-row'
import { Clock } from '@bearing/service/clock'
import { Injectable } from '@nestjs/common'
import { recordAudit } from '../../ground/audit/record-audit.js'
import { Database } from '../../ground/database.js'
import { lockUser } from '../../ground/locks.js'
import { MailQueue } from '../mails/mail-queue.js'

/** Networks stored for a user. The one used longest ago is deleted first. */
const MAX_NETWORKS = 20

/** Records from which client networks the right password of a user came, and notifies the user of new ones. */
@Injectable()
export class RecordSignInNetwork {
  constructor(
    private readonly database: Database,
    private readonly mails: MailQueue,
    private readonly clock: Clock,
  ) {}

  /** Records the client network of the current call. The first network of an account causes no mail. */
  async record(userId: string): Promise<void> {
    const network = clientNetwork(currentCall()?.clientAddress ?? '')
    if (network === '') return
    const now = this.clock.now()
    await this.database.transaction(async (transaction) => {
      if (!(await lockUser(transaction, userId))) return
      const known = await transaction.signInNetwork.findMany({
        where: { userId },
        orderBy: { lastSeenAt: 'desc' },
        select: { network: true },
      })
      const where = { userId_network: { userId, network } }
      const create = { userId, network, firstSeenAt: now, lastSeenAt: now }
      await transaction.signInNetwork.upsert({ where, create, update: { lastSeenAt: now } })
      if (known.some((other) => other.network === network)) return
      const surplus = known.slice(MAX_NETWORKS - 1).map((other) => other.network)
      await transaction.signInNetwork.deleteMany({ where: { userId, network: { in: surplus } } })
      recordAudit(transaction, byPassword(userId), {
        action: 'sign_in_network.added',
        target: ['user', userId],
        details: { network },
      })
      if (known.length > 0) await this.mails.add(transaction, 'new_network', userId)
    })
  }
}

function byPassword(userId: string): Actor {
  return { kind: 'user', user_id: userId, email: '', credential_id: userId, proof: 'password', grants: [] }
}
