import { enrollTotp } from '@bearing/contracts/identity/people/second-factor'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/ground/clock'
import { IdempotentCalls } from '@bearing/service/store/idempotent-calls'
import { SETTINGS } from '@bearing/service/run/runtime-module'
import { Controller, Inject } from '@nestjs/common'
import type { Settings } from '../../config.js'
import { Database, type Transaction } from '../../ground/database.js'
import { base32, totpUri } from '../../ground/rules/totp.js'
import { ProveOwnPassword } from '../passwords/prove-own-password.js'
import { callingUser } from '../users/calling-user.js'
import { refuseApiKey } from './refuse-api-key.js'
import { secondFactorExists } from './second-factor-errors.js'
import { TotpSecrets } from './totp-secrets.js'

@Controller()
export class EnrollTotp {
  constructor(
    private readonly database: Database,
    private readonly password: ProveOwnPassword,
    private readonly secrets: TotpSecrets,
    private readonly clock: Clock,
    private readonly calls: IdempotentCalls,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Records no audit event: until the authenticator is confirmed, nothing has changed. */
  @Handle(enrollTotp)
  async execute(input: Input<typeof enrollTotp>, by: Principal): Promise<Output<typeof enrollTotp>> {
    const { userId } = callingUser(by)
    // An API key and the password must not replace a passkey.
    if ((await this.database.passkey.count({ where: { userId } })) > 0) refuseApiKey(by)
    const email = await this.password.prove(by, input.password)
    return this.database.transaction((transaction) =>
      this.calls.once(transaction, enrollTotp, input, by, () => this.enroll(transaction, userId, email)),
    )
  }

  private async enroll(
    transaction: Transaction,
    userId: string,
    email: string,
  ): Promise<Output<typeof enrollTotp>> {
    const { secret, secretBox, pepperId } = this.secrets.create(userId)
    // One statement, so that an authenticator that was confirmed meanwhile is not replaced.
    const written = await transaction.$executeRaw`
      INSERT INTO totps (user_id, secret_box, pepper_id, created_at)
      VALUES (${userId}::uuid, ${secretBox}, ${pepperId}, ${this.clock.now()})
      ON CONFLICT (user_id) DO UPDATE
      SET secret_box = excluded.secret_box, pepper_id = excluded.pepper_id, created_at = excluded.created_at,
          last_step = 0, failures = 0, blocked_until = NULL
      WHERE totps.confirmed_at IS NULL`
    if (written === 0) throw secondFactorExists()
    return { secret: base32(secret), uri: totpUri(secret, issuerOf(this.settings.PUBLIC_URL), email) }
  }
}

/** The name of this installation in authenticator apps. It must not contain a colon. */
function issuerOf(publicUrl: string): string {
  return publicUrl === '' ? 'Bearing' : `Bearing (${new URL(publicUrl).hostname.replaceAll(':', '.')})`
}
