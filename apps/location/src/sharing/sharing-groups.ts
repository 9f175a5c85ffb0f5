import {
  MOST_ORGANIZATIONS_ASKED,
  findOrganizationPeople,
} from '@bearing/contracts/identity/organization-people'
import { RemoteCache } from '@bearing/client-nats/remote-cache'
import type { NatsClient } from '@bearing/nats/client'
import { groupsOf, type GroupOf } from '@bearing/positioning/learning/independent-evidence'
import type { Clock } from '@bearing/service/clock'
import type pg from 'pg'
import { MAY_SHARE, type SharingPolicy } from './sharing-policy.js'

/** Organizations whose people are cached. */
const MOST_ASKING = 10_000
/** The most organizations that count as contributors: those that have existed longest. */
const MOST_CONTRIBUTING = 10_000

/** A change of approvals, and of their admins, is seen after this long, in milliseconds. */
const CONTRIBUTING_FRESH_MS = 5_000
/** A change of the admins of an asking organization is seen after this long, in milliseconds. */
const PEOPLE_FRESH_MS = 60_000

/** An answer of identity is used for this long if it does not answer again, in milliseconds. */
const STALE_MS = 600_000
/** After a failure identity is not asked for this long, in milliseconds. */
const RETRY_MS = 2_000

/** Contributors to the shared layer: their groups, and the groups of their people. */
interface Contributing {
  readonly groups: ReadonlyMap<string, string>
  readonly byPerson: ReadonlyMap<string, string>
}

/** Counts no contributor: nobody contributed, or independence cannot be proven. */
export const NOBODY: GroupOf = () => undefined

/**
 * Knows which contributors to the shared layer are independent of each other and of an asking organization. Identity knows who
 * created and administers organizations. If it does not answer, cached answers are used for at most ten minutes; after that no
 * contributor counts.
 */
export class SharingGroups {
  private readonly contributing: RemoteCache<Contributing>
  private readonly people: RemoteCache<readonly string[]>

  constructor(
    private readonly pool: Pick<pg.Pool, 'query'>,
    private readonly client: Pick<NatsClient, 'call'>,
    private readonly policy: SharingPolicy,
    clock: Clock,
    failed: (error: unknown) => void,
  ) {
    const options = { staleMs: STALE_MS, retryMs: RETRY_MS, failed, elapsed: clock.nowMs }
    this.contributing = new RemoteCache({ ...options, maxEntries: 1, freshMs: () => CONTRIBUTING_FRESH_MS })
    this.people = new RemoteCache({ ...options, maxEntries: MOST_ASKING, freshMs: () => PEOPLE_FRESH_MS })
  }

  /** Returns the groups of contributors that are independent of the asking organization. Never rejects. */
  async for(asking: string): Promise<GroupOf> {
    const [contributing, people] = await Promise.all([
      this.contributing.get('', () => this.readContributing()).catch(() => undefined),
      this.people.get(asking, () => this.peopleOf(asking)).catch(() => undefined),
    ])
    if (!contributing || !people || people.length === 0) return NOBODY
    const { groups, byPerson } = contributing
    const own = new Set([groups.get(asking), ...people.map((person) => byPerson.get(person))])
    return (organization) => {
      const group = groups.get(organization)
      return own.has(group) ? undefined : group
    }
  }

  private async readContributing(): Promise<Contributing> {
    const { rows } = await this.pool.query<{ organization_id: string }>(
      `SELECT organization_id FROM location_settings WHERE ${MAY_SHARE[this.policy]}
       ORDER BY organization_id LIMIT ${String(MOST_CONTRIBUTING)}`,
    )
    const people = await this.ask(rows.map(({ organization_id }) => organization_id))
    const groups = groupsOf(people)
    const byPerson = new Map<string, string>()
    for (const [organization, persons] of people)
      for (const person of persons) byPerson.set(person, groups.get(organization) ?? organization)
    return { groups, byPerson }
  }

  private async peopleOf(organization: string): Promise<readonly string[]> {
    return (await this.ask([organization])).get(organization) ?? []
  }

  /** Organizations that identity does not know, or that have no people, are left out: they count as nobody. */
  private async ask(organizations: readonly string[]): Promise<Map<string, readonly string[]>> {
    const people = new Map<string, readonly string[]>()
    for (let start = 0; start < organizations.length; start += MOST_ORGANIZATIONS_ASKED) {
      const organization_ids = organizations.slice(start, start + MOST_ORGANIZATIONS_ASKED)
      const found = await this.client.call(findOrganizationPeople, { organization_ids }, { timeoutMs: 1_000 })
      for (const { organization_id, user_ids } of found.organizations)
        if (user_ids.length > 0) people.set(organization_id, user_ids)
    }
    return people
  }
}
