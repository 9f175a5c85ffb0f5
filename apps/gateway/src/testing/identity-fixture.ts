import { CredentialCache, type AskedFor } from '@bearing/client-nats/credential-cache'
import { OperationError } from '@bearing/contracts/errors'
import type { Introspected, PresentedCredential } from '@bearing/contracts/identity/credentials/credential'
import { createLogger } from '@bearing/service/observe/logger'
import { Metrics } from '@bearing/service/observe/metrics'
import { RateLimits } from '@bearing/service/store/rate-limits'
import { Authenticator } from '../authenticate/authenticator.js'
import { FailedCredentials } from '../ground/limits/failed-credentials.js'

const ID = '00000000-0000-7000-8000-000000000001'

/** The response about a valid credential. */
export const ACTIVE: Introspected = {
  active: true,
  claims: 'claims',
  claims_expire_at: Math.floor(Date.now() / 1_000) + 3_600,
  age_ms: 0,
  principal: { kind: 'project_key', credential_id: ID, organization_id: ID, project_id: ID, permissions: [] },
}

/** Responses about wrong credentials, and the error that the caller gets. */
export const REFUSALS: readonly (readonly [
  Introspected & { active: false },
  code: string,
  status: number,
])[] = [
  [{ active: false, reason: 'unknown' }, 'credential_invalid', 401],
  [{ active: false, reason: 'malformed' }, 'credential_malformed', 401],
  [{ active: false, reason: 'unknown', because: 'second_factor_required' }, 'second_factor_required', 403],
]

/** The error of identity if it cannot verify a credential. */
export const UNAVAILABLE = new OperationError('service_unavailable', 'Identity does not respond.')

export const ASKED_FOR: AskedFor = { requestId: 'request', clientAddress: '192.0.2.1', traceparent: 'trace' }

/** Simulates identity for the strategies: returns what a spec sets, and records the calls. */
export async function identityFixture() {
  const limits = await RateLimits.open('', createLogger('spec', 'silent'), new Metrics())
  const fixture = {
    answer: ACTIVE as Introspected | Error,
    /** Responses about one kind of credential. */
    answers: {} as Partial<Record<PresentedCredential['kind'], Introspected>>,
    asked: [] as { credential: PresentedCredential; askedFor: AskedFor }[],
  }
  const cache = new CredentialCache({
    introspect: (credential, _fresh, askedFor) => {
      fixture.asked.push({ credential, askedFor })
      const answer = fixture.answers[credential.kind] ?? fixture.answer
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer)
    },
    isWellFormed: () => true,
    now: Date.now,
    elapsed: () => performance.now(),
    maxEntries: 1_000,
    ttlMs: 25_000,
    refusedTtlMs: 0,
  })
  const identity = {
    introspect: (credential: PresentedCredential, askedFor?: AskedFor) =>
      cache.look(credential, { askedFor: askedFor ?? {} }),
    recall: (credential: PresentedCredential) => cache.recall(credential),
    claimsOf: () => 'claims',
    keyOf: (credential: PresentedCredential) => cache.keyOf(credential),
  }
  const authenticator = new Authenticator(identity, new FailedCredentials(limits, 0))
  return Object.assign(fixture, { authenticator })
}
