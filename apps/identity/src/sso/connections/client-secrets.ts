import { OperationError } from '@bearing/contracts/errors'
import { SecretBox, UnknownKeyError } from '@bearing/service/secret-box'
import { Injectable } from '@nestjs/common'

const PURPOSE = 'sso client secret'

/** A client secret as it is stored. */
export interface StoredClientSecret {
  readonly secretBox: Uint8Array<ArrayBuffer> | null
  readonly pepperId: string | null
}

/** Stores the secrets that providers know us by: sealed, bound to their connection. */
@Injectable()
export class ClientSecrets {
  constructor(private readonly box: SecretBox) {}

  /** What to store. */
  seal(connectionId: string, secret: string | null | undefined): StoredClientSecret {
    if (secret === null || secret === undefined) return { secretBox: null, pepperId: null }
    const { box, keyId } = this.box.seal(PURPOSE, connectionId, Buffer.from(secret))
    return { secretBox: box, pepperId: keyId }
  }

  /**
   * The secret of a connection; undefined where it is a public client.
   *
   * @throws OperationError `service_unavailable` where the pepper is missing: that is an operator's mistake
   */
  open(connectionId: string, { secretBox, pepperId }: StoredClientSecret): string | undefined {
    if (secretBox === null || pepperId === null) return undefined
    try {
      return Buffer.from(this.box.open(PURPOSE, connectionId, { box: secretBox, keyId: pepperId })).toString()
    } catch (cause) {
      if (!(cause instanceof UnknownKeyError)) throw cause
      throw new OperationError('service_unavailable', 'The connection cannot be used now.', {}, { cause })
    }
  }

  /** What to store anew of a secret, where it was sealed under a pepper that is current no more; undefined: nothing. */
  renewed(connectionId: string, stored: StoredClientSecret): StoredClientSecret | undefined {
    const { pepperId } = stored
    if (pepperId === null || this.box.isCurrent({ keyId: pepperId })) return undefined
    return this.seal(connectionId, this.open(connectionId, stored))
  }
}
