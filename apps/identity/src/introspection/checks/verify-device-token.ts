import { hash } from 'node:crypto'
import { clientNetwork } from '@bearing/access/client-network'
import { OperationError } from '@bearing/contracts/errors'
import { currentCall } from '@bearing/nats/call-context'
import { RateLimits, type Limit } from '@bearing/service/store/rate-limits'
import { Injectable } from '@nestjs/common'
import { Cache } from '@bearing/client-nats/cache'
import { hasSignedToken, type DeviceToken } from '../../ground/device-tokens.js'

/** Signatures that are verified per minute for one key and client network: a device signs a token at most for each request. */
const PER_MINUTE = 120
/** Size of the cache of verified tokens, and of one entry, in bytes. */
const CACHE_BYTES = 16 * 1024 * 1024
const ENTRY_BYTES = 256

/** Verifies the signatures of tokens, each once. */
@Injectable()
export class VerifyDeviceToken {
  private readonly verified = new Cache<true>(CACHE_BYTES / ENTRY_BYTES)
  private readonly limit: Limit

  constructor(limits: RateLimits) {
    this.limit = limits.limit({
      name: 'device-token-verifications',
      points: PER_MINUTE,
      windowS: 60,
      whenStoreIsDown: 'open',
    })
  }

  /**
   * Returns whether a key has signed a token. It counts by key and client network before it verifies the
   * signature, so that another caller who knows the id of the key does not use up the limit of the device.
   *
   * @throws OperationError `rate_limited`
   */
  async hasSigned(
    key: { readonly id: string; readonly publicKey: Uint8Array },
    token: DeviceToken,
  ): Promise<boolean> {
    // Both: a token without `kid` may be tried with several keys.
    const name = `${key.id} ${hash('sha256', token.text, 'base64')}`
    if (this.verified.has(name)) return true
    await this.count(key.id)
    const isSigned = hasSignedToken(token, key.publicKey)
    if (isSigned) this.verified.set(name, true)
    return isSigned
  }

  private async count(keyId: string): Promise<void> {
    const network = clientNetwork(currentCall()?.clientAddress ?? '')
    const { used, endsInMs } = await this.limit.count(`${keyId} ${network}`)
    if (used <= PER_MINUTE) return
    this.limit.refused()
    throw new OperationError(
      'rate_limited',
      `More than ${String(PER_MINUTE)} new tokens a minute of this key came from this address. Use a token until it expires.`,
      { retry_after: Math.max(1, Math.ceil(endsInMs / 1_000)) },
    )
  }
}
