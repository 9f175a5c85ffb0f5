import { clientNetwork } from '@bearing/access/client-network'
import { DEVICE_TOKEN_MESSAGES } from '@bearing/access/device-tokens'
import { OperationError } from '@bearing/contracts/errors'
import { claimAudience } from '@bearing/contracts/identity/devices/device-claim'
import { currentCall } from '@bearing/nats/call-context'
import { Clock } from '@bearing/service/ground/clock'
import { RateLimits, type Limit } from '@bearing/service/store/rate-limits'
import { Injectable } from '@nestjs/common'
import { hasSignedToken, readDeviceToken } from '../../ground/device-tokens.js'
import { refusalOfClaims } from '../../ground/rules/device-token-claims.js'

/** Claims of a project per minute and client network: a production line claims one device after the other. */
const PER_MINUTE = 120

interface Claim {
  readonly projectId: string
  readonly projectKey: string
  readonly serial: string
  readonly publicKey: Uint8Array
  readonly proof: string
}

/** Verifies that a device has the private key that it claims, for this serial number and project, and now. */
@Injectable()
export class VerifyClaim {
  private readonly limit: Limit

  constructor(
    private readonly clock: Clock,
    limits: RateLimits,
  ) {
    const options = { name: 'device-claims', points: PER_MINUTE, windowS: 60 }
    this.limit = limits.limit({ ...options, whenStoreIsDown: 'open' })
  }

  /** @throws OperationError `device_claim_refused`, `rate_limited` */
  async execute({ projectId, projectKey, serial, publicKey, proof }: Claim): Promise<void> {
    await this.count(projectId)
    const token = readDeviceToken(proof)
    if (!token) throw claimRefused(`The proof is not valid. ${DEVICE_TOKEN_MESSAGES.malformed}`)
    if (!hasSignedToken(token, publicKey))
      throw claimRefused('The proof is not signed by the private key of public_key, or by another alg.')
    const { sub, aud, exp } = token.claims
    const audiences = [claimAudience(projectKey)]
    const nowS = this.clock.nowMs() / 1_000
    const wrong = refusalOfClaims(token.claims, { serial, audiences, mayHaveNoExpiry: false, nowS })
    if (sub === undefined || aud === undefined || wrong === 'device_token_for_other')
      throw claimRefused('sub of the proof must be device_serial, and aud "claim:" and the project key.')
    if (exp === undefined) throw claimRefused('The proof has no exp. Sign one with exp.')
    if (wrong) throw claimRefused(DEVICE_TOKEN_MESSAGES[wrong])
  }

  /** Before the signature is verified: the project key is not secret, and each claim can have another key. */
  private async count(projectId: string): Promise<void> {
    const network = clientNetwork(currentCall()?.clientAddress ?? '')
    const { used, endsInMs } = await this.limit.count(`${projectId} ${network}`)
    if (used <= PER_MINUTE) return
    this.limit.refused()
    const retry_after = Math.max(1, Math.ceil(endsInMs / 1_000))
    throw new OperationError(
      'rate_limited',
      `More than ${String(PER_MINUTE)} claims a minute of this project came from this address. Send the claim again later.`,
      { retry_after },
    )
  }
}

export function claimRefused(detail: string): OperationError {
  return new OperationError('device_claim_refused', detail)
}
