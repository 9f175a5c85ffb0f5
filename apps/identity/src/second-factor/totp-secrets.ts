import { OperationError } from '@bearing/contracts/errors'
import { Randomness } from '@bearing/service/randomness'
import { Injectable } from '@nestjs/common'
import { Peppers, UnknownPepperError } from '../rules/peppers.js'
import { SecretBox, type SealedSecret } from '../rules/sealed-secret.js'
import { TOTP_SECRET_BYTES } from '../rules/totp.js'

const PURPOSE = 'totp'

/** Makes and reads the secrets that are shared with authenticators. They are stored sealed, bound to their user. */
@Injectable()
export class TotpSecrets {
  constructor(
    private readonly box: SecretBox,
    private readonly peppers: Peppers,
    private readonly randomness: Randomness,
  ) {}

  /** A new one, and what to store of it. */
  create(userId: string) {
    const secret = this.randomness.bytes(TOTP_SECRET_BYTES)
    return { secret, ...this.seal(userId, secret) }
  }

  /**
   * The secret of a user.
   *
   * @throws OperationError `service_unavailable` where the pepper is missing: an operator's mistake must not look like a
   *   wrong code
   */
  open(userId: string, sealed: SealedSecret): Uint8Array {
    try {
      return this.box.open(PURPOSE, userId, sealed)
    } catch (cause) {
      if (!(cause instanceof UnknownPepperError)) throw cause
      throw new OperationError(
        'service_unavailable',
        'The code cannot be checked at the moment.',
        {},
        { cause },
      )
    }
  }

  /** What to store anew of a secret, where it was sealed under a pepper that is current no more. */
  renewed(userId: string, secret: Uint8Array, { pepperId }: Pick<SealedSecret, 'pepperId'>) {
    return this.peppers.isCurrent({ pepperId }) ? {} : this.seal(userId, secret)
  }

  private seal(userId: string, secret: Uint8Array) {
    const { box, pepperId } = this.box.seal(PURPOSE, userId, secret)
    return { secretBox: box, pepperId }
  }
}
