import { OperationError, invalidInput } from '@bearing/contracts/errors'
import type { PasskeyAssertion } from '@bearing/contracts/identity/people/passkey'
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
import { Passkeys } from '../second-factor/passkeys.js'
import { secondFactorInvalid } from '../second-factor/second-factor-errors.js'
import { OpenSession } from './open-session.js'

type WithPassword = Input<typeof startSession> & { readonly email: string; readonly password: string }
type WithPasskey = Input<typeof startSession> & { readonly passkey: PasskeyAssertion }

@Controller()
export class StartSession {
  constructor(
    private readonly database: Database,
    private readonly password: CheckPassword,
    private readonly secondFactor: ProveSecondFactor,
    private readonly passkeys: Passkeys,
    private readonly sessions: OpenSession,
  ) {}

  @Handle(startSession)
  async execute(input: Input<typeof startSession>): Promise<Output<typeof startSession>> {
    const { email, password, passkey } = input
    if (email !== undefined && password !== undefined) return this.byPassword({ ...input, email, password })
    if (passkey && email === undefined && password === undefined) return this.byPasskey({ ...input, passkey })
    throw invalidInput(email === undefined ? '/email' : '/password', 'must be given, or passkey alone')
  }

  private async byPassword(input: WithPassword): Promise<Output<typeof startSession>> {
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
        'The password is right. Send it again, with totp_code from your authenticator, a passkey or a recovery_code.',
      )
    return { user_id, email, session: outcome.session, session_token: outcome.token }
  }

  /** A passkey has verified its user, so it is both factors. */
  private async byPasskey(input: WithPasskey): Promise<Output<typeof startSession>> {
    const userId = await this.passkeys.userOf(input.passkey)
    if (userId === undefined) throw wrongPasskey()
    const started = await this.database.transaction(async (transaction) => {
      const user = await lockUser(transaction, userId)
      // Not thrown here: what a refusal records must be committed.
      if (!user || !(await this.passkeys.accept(transaction, userId, input.passkey))) return undefined
      const { session, token } = await this.sessions.open(transaction, {
        ...{ userId, methods: ['passkey'], userAgent: input.user_agent, replaces: input.replaces },
      })
      return { user_id: userId, email: user.email, session, session_token: token }
    })
    if (!started) throw wrongPasskey()
    return started
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

/** The same error for an unknown passkey and for every reason to refuse a known one. */
function wrongPasskey(): OperationError {
  return new OperationError(
    'credential_invalid',
    'No account accepts this passkey. It may have been removed, or its challenge has expired or was used: try again, or sign in with the password.',
  )
}
