import { OperationError } from '@bearing/contracts/errors'
import { RECENT_SIGN_IN_MINUTES, deleteOwnAccount } from '@bearing/contracts/identity/user'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/clock'
import { Controller } from '@nestjs/common'
import { ProveOwnPassword } from '../people/passwords/prove-own-password.js'
import { Database } from '../ground/database.js'
import { ProveSecondFactor } from '../people/second-factor/prove-second-factor.js'
import { codeMissing, secondFactorInvalid } from '../people/second-factor/second-factor-errors.js'
import { recentSession } from '../people/sessions/recent-session.js'
import { callingUser } from '../people/users/calling-user.js'
import { EndAccount } from './account-deletion.js'

@Controller()
export class DeleteOwnAccount {
  constructor(
    private readonly database: Database,
    private readonly accounts: EndAccount,
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
    } else if (!(await this.hasJustProven(by))) throw notProven()
    return this.accounts.end({ user_id: userId }, by)
  }

  /** An API key may be older than the second factor, so beside the password it does not stand for it. */
  private async proveCode(userId: string, input: Input<typeof deleteOwnAccount>): Promise<void> {
    // Commits a wrong code, because wrong codes are counted.
    const proof = await this.database.transaction((transaction) =>
      this.secondFactor.prove(transaction, userId, input),
    )
    if (proof === 'missing') throw codeMissing()
    if (proof === 'wrong') throw secondFactorInvalid()
  }

  /** Whoever comes with the password has it; whoever comes with a session had it at the sign-in. */
  private async hasJustProven(by: Principal): Promise<boolean> {
    if (by.kind === 'user' && by.proof === 'password') return true
    return (await recentSession(this.database, by, this.clock.now())) !== undefined
  }
}

function notProven(): OperationError {
  return new OperationError(
    'recent_sign_in_required',
    `An account is not deleted with an API key alone, nor in a session of long ago. Send the account password too (password), or sign in with a browser and delete it within ${String(RECENT_SIGN_IN_MINUTES)} minutes.`,
  )
}
