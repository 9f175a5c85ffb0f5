import { OperationError } from '@bearing/contracts/errors'
import { SecretBox, UnknownKeyError } from '@bearing/service/store/secret-box'
import { Injectable } from '@nestjs/common'

const PURPOSE = 'sso client secret'

export interface StoredClientSecret {
  readonly secretBox: Uint8Array<ArrayBuffer> | null
  readonly pepperId: string | null
}

/** Seals and opens the client secrets of connections, bound to their connection. */
@Injectable()
export class ClientSecrets {
  constructor(private readonly box: SecretBox) {}

  /** Returns the columns to store. */
  seal(connectionId: string, secret: string | null | undefined): StoredClientSecret {
    if (secret === null || secret === undefined) return { secretBox: null, pepperId: null }
    const { box, keyId } = this.box.seal(PURPOSE, connectionId, Buffer.from(secret))
    return { secretBox: box, pepperId: keyId }
  }

  /** Opens a client secret; undefined for a public client. @throws OperationError `service_unavailable` without its pepper */
  open(connectionId: string, { secretBox, pepperId }: StoredClientSecret): string | undefined {
    if (secretBox === null || pepperId === null) return undefined
    try {
      return Buffer.from(this.box.open(PURPOSE, connectionId, { box: secretBox, keyId: pepperId })).toString()
    } catch (cause) {
      if (!(cause instanceof UnknownKeyError)) throw cause
      throw new OperationError(
        'service_unavailable',
        'The connection cannot be used right now.',
        {},
        { cause },
      )
    }
  }

  /** Returns the columns to update if the secret is not sealed with the current pepper. */
  renewed(connectionId: string, stored: StoredClientSecret): StoredClientSecret | undefined {
    const { pepperId } = stored
    if (pepperId === null || this.box.isCurrent({ keyId: pepperId })) return undefined
    return this.seal(connectionId, this.open(connectionId, stored))
  }
}
