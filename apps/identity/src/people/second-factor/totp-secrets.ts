import { OperationError } from '@bearing/contracts/errors'
import { Randomness } from '@bearing/service/ground/randomness'
import { SecretBox, UnknownKeyError } from '@bearing/service/store/secret-box'
import { Injectable } from '@nestjs/common'
import { TOTP_SECRET_BYTES } from '../../ground/rules/totp.js'

const PURPOSE = 'totp'

interface StoredTotpSecret {
  readonly secretBox: Uint8Array
  readonly pepperId: string
}

/** Creates and opens the secrets of authenticators. They are stored sealed, bound to their user. */
@Injectable()
export class TotpSecrets {
  constructor(
    private readonly box: SecretBox,
    private readonly randomness: Randomness,
  ) {}

  /** Returns a new secret with the columns to store. */
  create(userId: string) {
    const secret = this.randomness.bytes(TOTP_SECRET_BYTES)
    return { secret, ...this.seal(userId, secret) }
  }

  /**
   * Opens the secret of a user.
   *
   * @throws OperationError `service_unavailable` if the pepper is missing: a wrong configuration must not look like a wrong
   *   code
   */
  open(userId: string, { secretBox: box, pepperId: keyId }: StoredTotpSecret): Uint8Array {
    try {
      return this.box.open(PURPOSE, userId, { box, keyId })
    } catch (cause) {
      if (!(cause instanceof UnknownKeyError)) throw cause
      throw new OperationError('service_unavailable', 'The code cannot be verified right now.', {}, { cause })
    }
  }

  /** Returns the columns to update if the secret is not sealed with the current pepper. */
  renewed(userId: string, secret: Uint8Array, { pepperId: keyId }: Pick<StoredTotpSecret, 'pepperId'>) {
    return this.box.isCurrent({ keyId }) ? {} : this.seal(userId, secret)
  }

  private seal(userId: string, secret: Uint8Array) {
    const { box, keyId } = this.box.seal(PURPOSE, userId, secret)
    return { secretBox: box, pepperId: keyId }
  }
}
