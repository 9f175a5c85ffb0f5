import { atMost } from '@bearing/client-nats/at-most'
import type { AskedFor } from '@bearing/client-nats/credential-cache'
import { resolveAddress } from '@bearing/contracts/management/address'
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

/** Finds the ids behind slugs. Only what exists is remembered: what is created now can be used now. */
export class AddressBook {
  private readonly addresses = new LRUCache<string, Address>({ ...atMost(MAX_REMEMBERED), ttl: TTL_MS })

  constructor(private readonly client: NatsClient) {}

  /**
   * The ids of an organization and, where asked for, of a project in it.
   *
   * @param organization its slug, as it came
   * @param project its slug, as it came
   * @param askedFor whose request it is
   * @throws OperationError (status 503) where it cannot be told
   */
  async find(organization: string, project: string | undefined, askedFor: AskedFor): Promise<Address> {
    const known = this.addresses.get(keyOf(organization, project))
    if (known) return known
    if (!isSlug(organization)) return NOWHERE
    if (project !== undefined && !isSlug(project))
      return { ...(await this.find(organization, undefined, askedFor)), project_id: null }
    const address = await this.client.call(
      resolveAddress,
      { organization, ...(project !== undefined && { project }) },
      askedFor,
    )
    if (address.organization_id && (project === undefined || address.project_id))
      this.addresses.set(keyOf(organization, project), address)
    return address
  }
}

/** Of anything, since slugs are checked after they were looked for: no two pairs have the same, whatever is in them. */
function keyOf(organization: string, project: string | undefined): string {
  return project === undefined
    ? `/${organization}`
    : `${String(organization.length)}/${organization}/${project}`
}

function isSlug(text: string): boolean {
  return Slug.safeParse(text).success
}
