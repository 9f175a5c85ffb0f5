import { hash } from 'node:crypto'
import { clientNetwork } from '@bearing/access/client-network'
import { OperationError } from '@bearing/contracts/errors'
import { currentCall } from '@bearing/nats/call-context'
import { Clock } from '@bearing/service/ground/clock'
import { RateLimits, type Limit } from '@bearing/service/store/rate-limits'
import { Injectable } from '@nestjs/common'
import { Cache } from '@bearing/client-nats/cache'
import { readCertificate, type ReadCertificate } from '../../ground/device-certificates/read-certificate.js'
import { isIssuedBy, leadsTo } from '../../ground/device-certificates/verify-path.js'

/** Paths that are verified per minute for one CA and client network: a proxy or gateway presents the same certificate for a whole connection. */
const PER_MINUTE = 600
/** Size of the cache of verified paths, and of one entry, in bytes. */
const CACHE_BYTES = 16 * 1024 * 1024
const ENTRY_BYTES = 256

/** A CA that may have issued a certificate. */
export interface Anchor {
  readonly id: string
  readonly certificate: Uint8Array
}

/** Verifies paths from certificates of devices to CAs, each once until one of its certificates expires. */
@Injectable()
export class VerifyDeviceCertificate {
  /** The end of a verified path, in milliseconds since 1970. */
  private readonly verified = new Cache<number>(CACHE_BYTES / ENTRY_BYTES)
  private readonly limit: Limit

  constructor(
    private readonly clock: Clock,
    limits: RateLimits,
  ) {
    const options = { name: 'device-certificate-verifications', points: PER_MINUTE, windowS: 60 }
    this.limit = limits.limit({ ...options, whenStoreIsDown: 'open' })
  }

  /**
   * Returns when the path from a certificate to a CA ends; undefined if there is none.
   *
   * @param chain the certificates that the device sent beside its own, in the order in which each is signed by the next one
   * @throws OperationError `rate_limited`
   */
  async endOfPath(
    leaf: ReadCertificate,
    chain: readonly ReadCertificate[],
    { id, certificate }: Anchor,
  ): Promise<Date | undefined> {
    const sent = [leaf, ...chain]
    const name = hash('sha256', Buffer.concat([certificate, ...sent.map(({ der }) => der)]), 'base64')
    const known = this.verified.get(name)
    if (known !== undefined && known > this.clock.nowMs()) return new Date(known)
    const anchor = readCertificate(certificate)
    if (!anchor) return undefined
    await this.count(id)
    const path = pathTo(anchor, sent)
    if (!path || !(await leadsTo(path, anchor, this.clock.now()))) return undefined
    const endMs = Math.min(...[...path, anchor].map(({ notAfter }) => notAfter.getTime()))
    this.verified.set(name, endMs)
    return new Date(endMs)
  }

  private async count(caId: string): Promise<void> {
    const network = clientNetwork(currentCall()?.clientAddress ?? '')
    const { used, endsInMs } = await this.limit.count(`${caId} ${network}`)
    if (used <= PER_MINUTE) return
    this.limit.refused()
    throw new OperationError(
      'rate_limited',
      `More than ${String(PER_MINUTE)} certificates a minute of this CA came from this address. Send the request again later.`,
      { retry_after: Math.max(1, Math.ceil(endsInMs / 1_000)) },
    )
  }
}

/** Returns the certificates up to the first one that the key of the CA has signed. */
function pathTo(
  anchor: ReadCertificate,
  sent: readonly ReadCertificate[],
): readonly ReadCertificate[] | undefined {
  const last = sent.findIndex((one) => isIssuedBy(one, anchor))
  return last < 0 ? undefined : sent.slice(0, last + 1)
}
