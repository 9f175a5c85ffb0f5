import { OperationError } from '@bearing/contracts/errors'
import { startSession } from '@bearing/contracts/identity/people/session'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { ANONYMOUS } from '@bearing/service/audit/audit-row'
import { Controller } from '@nestjs/common'
import { recordAudit } from '../../ground/audit/record-audit.js'
import { Database, type Transaction } from '../../ground/database.js'
import { lockUser } from '../../ground/locks.js'
import { CheckPassword } from '../passwords/check-password.js'
import { ProveSecondFactor } from '../second-factor/prove-second-factor.js'
import { secondFactorInvalid } from '../second-factor/second-factor-errors.js'
import { OpenSession } from './open-session.js'

@Controller()
export class StartSession {
  constructor(
    private readonly database: Database,
    private readonly password: CheckPassword,
    private readonly secondFactor: ProveSecondFactor,
    private readonly sessions: OpenSession,
  ) {}

  @Handle(startSession)
  async execute(input: Input<typeof startSession>): Promise<Output<typeof startSession>> {
    const proven = await this.password.prove(input.email, input.password)
    if (proven === 'unknown') throw wrongPassword()
    const { user_id, email } = proven.principal
    const outcome = await this.database.transaction(async (transaction) => {
      // If the password was changed since it was verified, the sessions of the old one have ended.
      const user = await lockUser(transaction, user_id)
      if (user?.passwordHash !== proven.passwordHash) throw wrongPassword()
      return this.signIn(transaction, user_id, input)
    })
    if (outcome === 'wrong') throw secondFactorInvalid()
    if (outcome === 'missing')
      throw new OperationError(
        'second_factor_needed',
        'The password is right. Send it again, with totp_code from your authenticator or with a recovery_code.',
      )
    return { user_id, email, session: outcome.session, session_token: outcome.token }
  }

  /**
   * Returns refusals instead of throwing them, so that the count of wrong codes is committed. Wrong passwords are not
   * audited, since anyone could fill the log; a wrong code is, since it follows a right password.
   */
  private async signIn(transaction: Transaction, userId: string, input: Input<typeof startSession>) {
    const proof = await this.secondFactor.prove(transaction, userId, input)
    if (proof === 'wrong')
      recordAudit(transaction, ANONYMOUS, { action: 'session.refused', target: ['user', userId] })
    if (proof === 'wrong' || proof === 'missing') return proof
    return this.sessions.open(transaction, {
      userId,
      methods: proof === 'none' ? ['pwd'] : ['pwd', proof],
      userAgent: input.user_agent,
      replaces: input.replaces,
    })
  }
}

/** The same error, after the same time, for a wrong password and for an unknown account. */
function wrongPassword(): OperationError {
  return new OperationError(
    'credential_invalid',
    'There is no account with this e-mail address and password.',
  )
}
