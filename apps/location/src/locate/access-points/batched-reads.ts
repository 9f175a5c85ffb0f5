import { setImmediate as nextTurn } from 'node:timers/promises'

/** The most addresses of one read: more begin another. */
const MOST = 2_000

/** Addresses that are going to be read, for one organization. */
interface Group<Known> {
  readonly bssids: Set<number>
  readonly known: Promise<Known>
}

/**
 * Reads together what several scans of an organization ask for in the same turn of the event loop, each address once: they
 * came in one message, and the cost of a read depends more on the statement than on the addresses.
 */
export class BatchedReads<Known> {
  /** By organization. */
  private readonly open = new Map<string, Group<Known>>()

  /** @param read what is known of addresses, by an organization */
  constructor(private readonly read: (organizationId: string, bssids: readonly number[]) => Promise<Known>) {}

  /**
   * Returns what is known of these addresses, and of some that others have asked for.
   *
   * @throws as the read does, to all who are part of it
   */
  of(organizationId: string, bssids: readonly number[]): Promise<Known> {
    const open = this.open.get(organizationId)
    const group = open && open.bssids.size + bssids.length <= MOST ? open : this.begin(organizationId)
    for (const bssid of bssids) group.bssids.add(bssid)
    return group.known
  }

  private begin(organizationId: string): Group<Known> {
    const bssids = new Set<number>()
    const known = nextTurn().then(() => {
      if (this.open.get(organizationId) === group) this.open.delete(organizationId)
      return this.read(organizationId, [...bssids])
    })
    const group: Group<Known> = { bssids, known }
    this.open.set(organizationId, group)
    return group
  }
}
