import { OperationError } from '@bearing/contracts/errors'
import { startSession } from '@bearing/contracts/identity/session'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { ANONYMOUS } from '@bearing/service/audit-row'
import { Controller } from '@nestjs/common'
import { AuditLog } from '../../ground/audit/audit-log.js'
import { CheckPassword, type ProvenPassword } from '../passwords/check-password.js'
import { Database, type Transaction } from '../../ground/database.js'
import { CredentialChanges } from '../../ground/events/credential-changes.js'
import { ProveSecondFactor } from '../second-factor/prove-second-factor.js'
import { secondFactorInvalid } from '../second-factor/second-factor-errors.js'
import { lockUser } from '../users/lock-user.js'
import { OpenSession } from './open-session.js'

@Controller()
export class StartSession {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
    private readonly changes: CredentialChanges,
    private readonly password: CheckPassword,
    private readonly secondFactor: ProveSecondFactor,
    private readonly sessions: OpenSession,
  ) {}

  @Handle(startSession)
  async execute(input: Input<typeof startSession>): Promise<Output<typeof startSession>> {
    const { verdict: user, passwordHash } = await this.userOf(input)
    const outcome = await this.database.transaction(async (transaction) => {
      // It may have been changed since it was checked: then the sessions of before have been ended, this one too.
      const now = await lockUser(transaction, user.user_id)
      if (now?.passwordHash !== passwordHash) throw wrongPassword()
      return this.signIn(transaction, user.user_id, input)
    })
    if (outcome === 'wrong') throw secondFactorInvalid()
    if (outcome === 'missing')
      throw new OperationError(
        'second_factor_needed',
        'The password is right. Send it once more, with totp_code from your authenticator or with a recovery_code.',
      )
    await this.changes.publish(outcome.change)
    return {
      user_id: user.user_id,
      email: user.email,
      session: outcome.session,
      session_token: outcome.token,
    }
  }

  /** The same answer, after the same time, for a wrong password and for an account that there is not. */
  private async userOf({ email, password }: Input<typeof startSession>): Promise<ProvenPassword> {
    const proven = await this.password.prove(email, password)
    if (proven === 'unknown') throw wrongPassword()
    return proven
  }

  /**
   * What is refused is returned and not thrown: it is committed too. Wrong passwords are not written down one by one, since
   * anybody could fill the log; who gets as far as a wrong code knows the password.
   */
  private async signIn(transaction: Transaction, userId: string, input: Input<typeof startSession>) {
    const proof = await this.secondFactor.prove(transaction, userId, input)
    if (proof === 'wrong')
      await this.audit.record(transaction, ANONYMOUS, { action: 'session.refused', target: ['user', userId] })
    if (proof === 'wrong' || proof === 'missing') return proof
    return this.sessions.open(transaction, {
      userId,
      methods: proof === 'none' ? ['pwd'] : ['pwd', proof],
      userAgent: input.user_agent,
      replaces: input.replaces,
    })
  }
}

function wrongPassword(): OperationError {
  return new OperationError(
    'credential_invalid',
    'There is no account with this e-mail address and password.',
  )
}
