import { OperationError } from '@bearing/contracts/errors'
import { Randomness } from '@bearing/service/randomness'
import { SecretBox, UnknownKeyError } from '@bearing/service/secret-box'
import { Injectable } from '@nestjs/common'
import { TOTP_SECRET_BYTES } from '../../ground/rules/totp.js'

const PURPOSE = 'totp'

/** A secret as it is stored. */
interface StoredTotpSecret {
  readonly secretBox: Uint8Array
  readonly pepperId: string
}

/** Makes and reads the secrets that are shared with authenticators. They are stored sealed, bound to their user. */
@Injectable()
export class TotpSecrets {
  constructor(
    private readonly box: SecretBox,
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
  open(userId: string, { secretBox: box, pepperId: keyId }: StoredTotpSecret): Uint8Array {
    try {
      return this.box.open(PURPOSE, userId, { box, keyId })
    } catch (cause) {
      if (!(cause instanceof UnknownKeyError)) throw cause
      throw new OperationError(
        'service_unavailable',
        'The code cannot be checked at the moment.',
        {},
        { cause },
      )
    }
  }

  /** What to store anew of a secret, where it was sealed under a pepper that is current no more. */
  renewed(userId: string, secret: Uint8Array, { pepperId: keyId }: Pick<StoredTotpSecret, 'pepperId'>) {
    return this.box.isCurrent({ keyId }) ? {} : this.seal(userId, secret)
  }

  private seal(userId: string, secret: Uint8Array) {
    const { box, keyId } = this.box.seal(PURPOSE, userId, secret)
    return { secretBox: box, pepperId: keyId }
  }
}
