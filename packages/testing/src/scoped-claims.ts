import {
  introspectCredential,
  type PresentedCredential,
} from '@bearing/contracts/identity/credentials/credential'
import { audienceOf, type Operation } from '@bearing/contracts/operation'
import type { NatsClient } from '@bearing/nats/client'
import { SERVICES } from './addresses.js'

/** Claims of one credential, by service and organization. */
type Signed = ReadonlyMap<string, string>

/**
 * Claims of credentials for every service and organization, as they are at one moment. A spec holds one of them and passes it
 * to any operation; {@link for} finds the one that a gateway would send there.
 */
export class ScopedClaims {
  private readonly signed = new Map<string, Signed>()

  constructor(private readonly client: NatsClient) {}

  /**
   * Returns the claims of a credential for identity and without an organization, which stand for all of them.
   *
   * @throws Error if the credential is refused
   */
  async of(credential: PresentedCredential): Promise<string> {
    const seen = await this.client.call(introspectCredential, credential)
    if (!seen.active) throw new Error(`the credential is ${seen.reason}`)
    const grants = seen.principal.kind === 'user' ? seen.principal.grants : []
    const organizations = [undefined, ...grants.map((grant) => grant.organization_id)]
    const scopes = SERVICES.flatMap((audience) =>
      organizations.map((organization_id) => ({ audience, organization_id })),
    )
    const signed = new Map(
      await Promise.all(
        scopes.map(async (scope) => [keyOf(scope), await this.sign(credential, scope)] as const),
      ),
    )
    const claims = signed.get(keyOf({ audience: 'identity' })) ?? ''
    this.signed.set(claims, signed)
    return claims
  }

  /** Returns the claims to send with a call of an operation; claims that did not come from {@link of} as they are. */
  for(claims: string, operation: Operation, request: unknown): string {
    const signed = this.signed.get(claims)
    const audience = audienceOf(operation)
    const { organization_id } = request as { readonly organization_id?: string } // the scope fields are named alike
    return signed?.get(keyOf({ audience, organization_id })) ?? signed?.get(keyOf({ audience })) ?? claims
  }

  private async sign(credential: PresentedCredential, scope: Scope): Promise<string> {
    const seen = await this.client.call(introspectCredential, { ...credential, ...scope })
    if (!seen.active || seen.claims === undefined) throw new Error('identity signed no claims')
    return seen.claims
  }
}

interface Scope {
  readonly audience: string
  readonly organization_id?: string | undefined
}

function keyOf({ audience, organization_id = '' }: Scope): string {
  return `${audience} ${organization_id}`
}
