import { createHash } from 'node:crypto'
import { platformOf, type WorkloadPlatform } from '@bearing/contracts/identity/workloads/workload-platforms'
import type { Workload } from '@bearing/contracts/principal'
import { storable } from '@bearing/service/audit/audit-row'
import type { JWTPayload } from 'jose'
import type { WorkloadTrust } from '../generated/prisma/client.js'
import { exchangeRefused } from './exchange-refused.js'
import { claimAt } from './rules/claim-values.js'
import { claimsOf } from './trust-row.js'

/** Returns what is stored of a token that is accepted once; undefined if its trust accepts tokens any number of times. */
export function assertionOf(trust: WorkloadTrust, { jti, exp = 0 }: JWTPayload) {
  if (!trust.singleUse) return undefined
  if (jti === undefined)
    throw exchangeRefused('invalid_request', 'The trust accepts tokens once, and this one has no jti.')
  const jtiHash = new Uint8Array(createHash('sha256').update(jti).digest())
  return { jtiHash, expiresAt: new Date((exp + 60) * 1_000) }
}

/** Returns who it was: the required claims, and those that say what runs. */
export function workloadOf(trust: WorkloadTrust, payload: JWTPayload): Workload {
  const { recorded } = platformOf(trust.platform as WorkloadPlatform) // the contract has checked it
  const names = [...new Set([...Object.keys(claimsOf(trust)), ...recorded])]
  const claims = names.flatMap((name) => {
    const text = claimAt(payload, name)
    return text === undefined ? [] : [[name, storable(text)] as const]
  })
  return {
    trust_id: trust.id,
    issuer: trust.issuer,
    subject: storable(payload.sub ?? ''),
    claims: Object.fromEntries(claims),
  }
}
