import { Buffer } from 'node:buffer'
import { CHALLENGE_VALID_S } from '@bearing/contracts/identity/people/passkey'
import { Clock } from '@bearing/service/ground/clock'
import { SecretBox } from '@bearing/service/store/secret-box'
import { Injectable } from '@nestjs/common'
import { z } from 'zod'

const PURPOSE = 'passkey challenge'
/** Bytes of the time of issue. */
const TIME_BYTES = 8
/** Bytes of a sealed time: nonce, ciphertext, tag. The id of the key follows. */
const BOX_BYTES = 12 + TIME_BYTES + 16

const ClientData = z.object({ challenge: z.string() })

/**
 * Issues challenges for passkeys. A challenge is the sealed time of its issue, so that anonymous requests store nothing. Each passkey
 * accepts only challenges that were issued after the last one that it signed.
 */
@Injectable()
export class PasskeyChallenges {
  constructor(
    private readonly box: SecretBox,
    private readonly clock: Clock,
  ) {}

  issue(): string {
    const time = Buffer.alloc(TIME_BYTES)
    time.writeBigUInt64BE(BigInt(this.clock.nowMs()))
    const { box, keyId } = this.box.seal(PURPOSE, '', time)
    return Buffer.concat([box, Buffer.from(keyId)]).toString('base64url')
  }

  /**
   * Returns when the challenge of a reply was issued.
   *
   * @param clientData `clientDataJSON` of the browser, in base64url
   * @returns undefined if the challenge was not issued here or has expired
   */
  issuedAt(clientData: string): Date | undefined {
    try {
      const { challenge } = ClientData.parse(JSON.parse(Buffer.from(clientData, 'base64url').toString()))
      const sealed = Buffer.from(challenge, 'base64url')
      const keyId = sealed.subarray(BOX_BYTES).toString()
      const time = this.box.open(PURPOSE, '', { box: sealed.subarray(0, BOX_BYTES), keyId })
      const at = Number(Buffer.from(time).readBigUInt64BE())
      return this.clock.nowMs() - at <= CHALLENGE_VALID_S * 1_000 ? new Date(at) : undefined
    } catch {
      return undefined
    }
  }
}
