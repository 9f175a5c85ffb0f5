import { clientNetwork } from '@bearing/access/client-network'
import { currentCall } from '@bearing/nats/call-context'
import type { Actor } from '@bearing/service/audit/audit-row'
import { Clock } from '@bearing/service/ground/clock'
import { Injectable } from '@nestjs/common'
import { recordAudit } from '../../ground/audit/record-audit.js'
import { Database, type Transaction } from '../../ground/database.js'
import { lockUser } from '../../ground/locks.js'
import { MailQueue } from '../mails/mail-queue.js'

/** Networks stored for a user. The one used longest ago is deleted first. */
const MAX_NETWORKS = 20

/** Records from which client networks a user signed in or sent the right password, and notifies the user of new ones. */
@Injectable()
export class RecordSignInNetwork {
  constructor(
    private readonly database: Database,
    private readonly mails: MailQueue,
    private readonly clock: Clock,
  ) {}

  /** Records the client network of the current call for a right password. The first network of an account causes no mail. */
  async record(userId: string): Promise<void> {
    if (callingNetwork() === '') return
    await this.database.transaction(async (transaction) => {
      if (await lockUser(transaction, userId)) await this.recordIn(transaction, userId, byPassword(userId))
    })
  }

  /** As {@link record}, in the transaction of a sign-in that has locked the user. */
  async recordIn(transaction: Transaction, userId: string, by: Actor): Promise<void> {
    const network = callingNetwork()
    if (network === '') return
    const now = this.clock.now()
    const { count } = await transaction.signInNetwork.updateMany({
      where: { userId, network },
      data: { lastSeenAt: now },
    })
    if (count > 0) return
    const known = await transaction.signInNetwork.findMany({
      where: { userId },
      orderBy: { lastSeenAt: 'desc' },
      select: { network: true },
    })
    await transaction.signInNetwork.create({ data: { userId, network, firstSeenAt: now, lastSeenAt: now } })
    const surplus = known.slice(MAX_NETWORKS - 1).map((other) => other.network)
    await transaction.signInNetwork.deleteMany({ where: { userId, network: { in: surplus } } })
    recordAudit(transaction, by, {
      action: 'sign_in_network.added',
      target: ['user', userId],
      details: { network },
    })
    if (known.length > 0) await this.mails.add(transaction, 'new_network', userId)
  }
}

function callingNetwork(): string {
  return clientNetwork(currentCall()?.clientAddress ?? '')
}

function byPassword(userId: string): Actor {
  return { kind: 'user', user_id: userId, email: '', credential_id: userId, proof: 'password', grants: [] }
}
