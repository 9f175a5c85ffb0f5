import { OperationError } from '@bearing/contracts/errors'
import { Randomness } from '@bearing/service/randomness'
import { SecretBox, UnknownKeyError } from '@bearing/service/secret-box'
import { Injectable } from '@nestjs/common'
import { WEBHOOK_SECRET_BYTES, webhookSecretText } from './rules/webhook-signature.js'

const PURPOSE = 'webhook secret'

/** The secrets of a webhook as they are stored. */
export interface StoredSecrets {
  readonly id: string
  readonly secretBox: Uint8Array
  readonly keyId: string
  readonly previousBox: Uint8Array | null
  readonly previousKeyId: string | null
  readonly previousUntil: Date | null
}

/** Makes and reads the secrets that deliveries are signed with. They are stored sealed, bound to their webhook. */
@Injectable()
export class WebhookSecrets {
  constructor(
    private readonly box: SecretBox,
    private readonly randomness: Randomness,
  ) {}

  /** A new one: how it is shown, and what to store of it. */
  create(webhookId: string) {
    const secret = this.randomness.bytes(WEBHOOK_SECRET_BYTES)
    const { box: secretBox, keyId } = this.box.seal(PURPOSE, webhookId, secret)
    return { text: webhookSecretText(secret), stored: { secretBox, keyId } }
  }

  /**
   * The secrets to sign with at a moment: the current one, and the one before while its grace lasts.
   *
   * @throws OperationError `service_unavailable` where the key is missing: that is an operator's mistake
   */
  open(webhook: StoredSecrets, at: Date): Uint8Array[] {
    const { id, previousBox, previousKeyId, previousUntil } = webhook
    const boxes = [{ box: webhook.secretBox, keyId: webhook.keyId }]
    if (previousBox && previousKeyId !== null && previousUntil && previousUntil > at)
      boxes.push({ box: previousBox, keyId: previousKeyId })
    try {
      return boxes.map((sealed) => this.box.open(PURPOSE, id, sealed))
    } catch (cause) {
      if (!(cause instanceof UnknownKeyError)) throw cause
      throw new OperationError('service_unavailable', 'The webhook cannot be used now.', {}, { cause })
    }
  }
}
