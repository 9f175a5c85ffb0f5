import type { Introspected, PresentedCredential } from '@bearing/contracts/identity/credentials/credential'
import { CredentialCache, type AskedFor, type ClaimsScope } from '../credential-cache.js'

export const ORGANIZATION = '00000000-0000-7000-8000-00000000000a'
/** Returns the id of a credential, by its number. */
export const credentialId = (n: number) => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`

/** An identity whose answers arrive when the test says so. */
export class SlowIdentity {
  asked: PresentedCredential[] = []
  fresh: boolean[] = []
  askedFor: AskedFor[] = []
  scopes: (ClaimsScope | undefined)[] = []
  private readonly waiting: ((answer: Introspected | Error) => void)[] = []
  now = 1_000_000

  readonly introspect = (
    credential: PresentedCredential,
    fresh: boolean,
    askedFor: AskedFor,
    scope: ClaimsScope | undefined,
  ): Promise<Introspected> => {
    this.asked.push(credential)
    this.fresh.push(fresh)
    this.askedFor.push(askedFor)
    this.scopes.push(scope)
    return new Promise((resolve, reject) => {
      this.waiting.push((answer) => {
        if (answer instanceof Error) reject(answer)
        else resolve(answer)
      })
    })
  }

  answer(answer: Introspected | Error): void {
    this.waiting.shift()?.(answer)
  }

  active(id = 1, ageMs = 0): Introspected {
    return {
      active: true,
      claims: 'claims',
      claims_expire_at: this.now / 1_000 + 60,
      age_ms: ageMs,
      principal: {
        kind: 'organization_token',
        credential_id: credentialId(id),
        organization_id: ORGANIZATION,
        description: '',
        permissions: [],
        expires_at: null,
      },
    }
  }
}

/** Returns a cache in front of a {@link SlowIdentity}: 30 s for valid credentials, 1 s for refused ones. */
export function setUp(options: { maxEntries?: number; renews?: boolean } = {}) {
  const identity = new SlowIdentity()
  const cache = new CredentialCache({
    introspect: identity.introspect,
    isWellFormed: (credential) => JSON.stringify(credential) !== JSON.stringify(token('malformed')),
    now: () => identity.now,
    elapsed: () => identity.now,
    maxEntries: options.maxEntries ?? 100,
    ttlMs: 30_000,
    refusedTtlMs: 1_000,
    renews: options.renews ?? false,
  })
  return { identity, cache }
}

/** Returns an organization token. */
export const token = (value: string): PresentedCredential => ({ kind: 'organization_token', token: value })
