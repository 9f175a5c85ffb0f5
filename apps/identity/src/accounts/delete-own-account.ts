import { OperationError } from '@bearing/contracts/errors'
import { RECENT_SIGN_IN_MINUTES } from '@bearing/contracts/identity/people/session'
import { deleteOwnAccount } from '@bearing/contracts/identity/people/user'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/ground/clock'
import { Controller } from '@nestjs/common'
import { Database } from '../ground/database.js'
import { ProveOwnPassword } from '../people/passwords/prove-own-password.js'
import { ProveSecondFactor } from '../people/second-factor/prove-second-factor.js'
import { codeMissing, secondFactorInvalid } from '../people/second-factor/second-factor-errors.js'
import { recentSession } from '../people/sessions/recent-session.js'
import { callingUser } from '../people/users/calling-user.js'
import { AccountDeletion } from './account-deletion.js'

@Controller()
export class DeleteOwnAccount {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountDeletion,
    private readonly password: ProveOwnPassword,
    private readonly secondFactor: ProveSecondFactor,
    private readonly clock: Clock,
  ) {}

  @Handle(deleteOwnAccount)
  async execute(
    input: Input<typeof deleteOwnAccount>,
    by: Principal,
  ): Promise<Output<typeof deleteOwnAccount>> {
    const { userId } = callingUser(by)
    if (input.password !== undefined) {
      await this.password.prove(by, input.password)
      await this.proveCode(userId, input)
    } else if (!(await this.isRecentlyProven(by))) throw notProven()
    return this.accounts.delete({ user_id: userId }, by)
  }

  /** An API key may be older than the second factor, so together with the password it does not replace the code. */
  private async proveCode(userId: string, input: Input<typeof deleteOwnAccount>): Promise<void> {
    // Not thrown in the transaction: the count of wrong codes must be committed.
    const proof = await this.database.transaction((transaction) =>
      this.secondFactor.prove(transaction, userId, input),
    )
    if (proof === 'missing') throw codeMissing()
    if (proof === 'wrong') throw secondFactorInvalid()
  }

  private async isRecentlyProven(by: Principal): Promise<boolean> {
    if (by.kind === 'user' && by.proof === 'password') return true
    return (await recentSession(this.database, by, this.clock.now())) !== undefined
  }
}

function notProven(): OperationError {
  return new OperationError(
    'recent_sign_in_required',
    `An API key alone, or an older session, cannot delete an account. Send the account password too (password), or sign in with a browser and delete it within ${String(RECENT_SIGN_IN_MINUTES)} minutes.`,
  )
}
