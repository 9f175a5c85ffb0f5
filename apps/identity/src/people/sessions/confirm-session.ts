import { invalidInput } from '@bearing/contracts/errors'
import { confirmSession } from '@bearing/contracts/identity/people/session'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/ground/clock'
import { Controller } from '@nestjs/common'
import { recordAudit } from '../../ground/audit/record-audit.js'
import { Database, type Transaction } from '../../ground/database.js'
import { recordCredentialChange } from '../../ground/events/credential-changes.js'
import { ProveOwnPassword } from '../passwords/prove-own-password.js'
import { ProveSecondFactor } from '../second-factor/prove-second-factor.js'
import { codeMissing, noSecondFactor, secondFactorInvalid } from '../second-factor/second-factor-errors.js'
import { callingUser, lockCaller } from '../users/calling-user.js'
import { callingSession, noSession } from './calling-session.js'

@Controller()
export class ConfirmSession {
  constructor(
    private readonly database: Database,
    private readonly password: ProveOwnPassword,
    private readonly secondFactor: ProveSecondFactor,
    private readonly clock: Clock,
  ) {}

  @Handle(confirmSession)
  async execute(input: Input<typeof confirmSession>, by: Principal): Promise<Output<typeof confirmSession>> {
    const { userId } = callingUser(by)
    const id = callingSession(by)
    if (id === undefined)
      throw noSession('You did not authenticate with a session: there is nothing to confirm.')
    const { password, passkey } = input
    if (password !== undefined) await this.password.prove(by, password)
    else if (!passkey) throw invalidInput('/password', 'must be given, or passkey')
    const isProven = await this.database.transaction(async (transaction) => {
      await lockCaller(transaction, userId)
      const proof = await this.secondFactor.prove(transaction, userId, input)
      if (proof === 'none' && password === undefined) throw noSecondFactor()
      if (proof === 'missing') throw codeMissing()
      // Not thrown here: the count of wrong codes must be committed.
      if (proof === 'wrong') return false
      const proven = [...(password === undefined ? [] : ['pwd']), ...(proof === 'none' ? [] : [proof])]
      await this.confirm(transaction, id, proven)
      recordAudit(transaction, by, { action: 'session.confirmed', target: ['session', id] })
      recordCredentialChange(transaction, `credential:${id}`)
      return true
    })
    if (!isProven) throw secondFactorInvalid()
    return {}
  }

  private async confirm(transaction: Transaction, id: string, proven: readonly string[]): Promise<void> {
    const row = await transaction.session.findUnique({ where: { id }, select: { methods: true } })
    if (!row) throw noSession('The session has ended.')
    const methods = [...new Set([...row.methods, ...proven])]
    await transaction.session.update({ where: { id }, data: { confirmedAt: this.clock.now(), methods } })
  }
}
