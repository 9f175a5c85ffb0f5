import { OperationError } from '@bearing/contracts/errors'
import {
  type AUDIT_FORMATS,
  type WebhookDestination,
} from '@bearing/contracts/management/webhook-destination'
import { Randomness } from '@bearing/service/ground/randomness'
import { SecretBox, UnknownKeyError } from '@bearing/service/store/secret-box'
import { Injectable } from '@nestjs/common'
import { WEBHOOK_SECRET_BYTES, webhookSecretText } from './rules/webhook-signature.js'

const PURPOSE = 'webhook secret'

/** Other settings of a destination, without secrets. */
export interface WebhookOptions {
  readonly format?: (typeof AUDIT_FORMATS)[number]
  readonly object_lock_days?: number | undefined
  readonly ca_certificate?: string | undefined
}

/** The encrypted secrets of a webhook. */
export interface StoredSecrets {
  readonly id: string
  readonly secretBox: Uint8Array
  readonly keyId: string
  readonly previousBox: Uint8Array | null
  readonly previousKeyId: string | null
  readonly previousUntil: Date | null
}

/** Creates and reads the signing secrets of webhooks. They are stored encrypted, bound to their webhook. */
@Injectable()
export class WebhookSecrets {
  constructor(
    private readonly box: SecretBox,
    private readonly randomness: Randomness,
  ) {}

  /** Creates a secret: its text for the receiver, and the columns to store. */
  create(webhookId: string) {
    const secret = this.randomness.bytes(WEBHOOK_SECRET_BYTES)
    const { box: secretBox, keyId } = this.box.seal(PURPOSE, webhookId, secret)
    return { text: webhookSecretText(secret), stored: { secretBox, keyId } }
  }

  /** Returns what to store of a destination: its credentials, or a new secret, whose text is returned too. */
  createFor(webhookId: string, destination: WebhookDestination | undefined) {
    const kind = destination?.kind ?? 'webhook'
    const options = destination && isAuditSink(destination) ? optionsOf(destination) : undefined
    const own = { kind, kindOption: null, ...(options && { options }) }
    if (destination?.kind === 's3') {
      const { region, access_key_id, secret_access_key } = destination
      const credentials = JSON.stringify({ access_key_id, secret_access_key })
      return { text: '', stored: { ...own, ...this.seal(webhookId, credentials), kindOption: region } }
    }
    if (destination?.kind === 'device_api') {
      const { project_key, project_key_header: kindOption } = destination
      return { text: '', stored: { ...own, ...this.seal(webhookId, project_key), kindOption } }
    }
    const { text, stored } = this.create(webhookId)
    return { text: kind === 'syslog' ? '' : text, stored: { ...own, ...stored } }
  }

  private seal(webhookId: string, text: string) {
    const { box: secretBox, keyId } = this.box.seal(PURPOSE, webhookId, Buffer.from(text))
    return { secretBox, keyId }
  }

  /**
   * Returns the secrets to sign with: the current one, and the previous one within its grace period.
   *
   * @throws OperationError `service_unavailable` if the encryption key is not in MANAGEMENT_SECRET_KEYS
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
      throw new OperationError(
        'service_unavailable',
        'The secret of the webhook cannot be read now. Try again later.',
        {},
        { cause },
      )
    }
  }
}

/** Returns true if a destination receives the audit log. */
export function isAuditSink(destination: WebhookDestination): boolean {
  return destination.kind === 'syslog' || ('source' in destination && destination.source === 'audit_log')
}

function optionsOf(destination: WebhookDestination) {
  const { format, object_lock_days, ca_certificate } = { ...destination } as WebhookOptions // a kind has some of them
  return {
    ...(format !== undefined && { format }),
    ...(object_lock_days !== undefined && { object_lock_days }),
    ...(ca_certificate !== undefined && { ca_certificate }),
  }
}
