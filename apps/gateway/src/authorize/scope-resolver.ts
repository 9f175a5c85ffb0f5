import { atMost } from '@bearing/client-nats/at-most'
import type { AskedFor } from '@bearing/client-nats/credential-cache'
import { resolveScope } from '@bearing/contracts/management/scope'
import { Slug } from '@bearing/contracts/primitives'
import type { NatsClient } from '@bearing/nats/client'
import { LRUCache } from 'lru-cache'

/** The ids behind the slugs of an address; null for what does not exist. */
export interface Address {
  readonly organization_id: string | null
  readonly project_id: string | null
}

const NOWHERE: Address = { organization_id: null, project_id: null }
const MAX_REMEMBERED = 50_000
/** How long ids are remembered, in milliseconds. Slugs do not change; whoever makes that possible publishes an event. */
const TTL_MS = 30_000

/** The slugs of a path, as the client sent them. */
export interface Slugs {
  readonly organization: string
  readonly project: string | undefined
}

/** Finds the ids behind slugs. Caches only slugs that exist, so a new organization or project can be used immediately. */
export class AddressBook {
  private readonly addresses = new LRUCache<string, Address>({ ...atMost(MAX_REMEMBERED), ttl: TTL_MS })

  constructor(private readonly client: NatsClient) {}

  /**
   * Returns the cached ids behind slugs. The caller of a request must not learn anything from them, not even how fast they
   * were found, unless it is authorized to know that they exist.
   */
  cached(slugs: Slugs): Address | undefined {
    return this.addresses.get(keyOf(slugs))
  }

  /**
   * Asks management for the ids behind slugs: one call, whether they exist or not.
   *
   * @param askedFor the request that needs them
   * @throws OperationError (status 503) if management does not answer
   */
  async resolve(slugs: Slugs, askedFor: AskedFor): Promise<Address> {
    const { organization, project } = slugs
    if (!isSlug(organization)) return NOWHERE
    if (project !== undefined && !isSlug(project))
      return { ...(await this.resolve({ organization, project: undefined }, askedFor)), project_id: null }
    const address = await this.client.call(
      resolveScope,
      { organization, ...(project !== undefined && { project }) },
      askedFor,
    )
    if (address.organization_id && (project === undefined || address.project_id))
      this.addresses.set(keyOf(slugs), address)
    return address
  }
}

/** Slugs are checked after the lookup, so they may contain anything: no two pairs share a key. */
function keyOf({ organization, project }: Slugs): string {
  return project === undefined
    ? `/${organization}`
    : `${String(organization.length)}/${organization}/${project}`
}

function isSlug(text: string): boolean {
  return Slug.safeParse(text).success
}
