/** Attempts that a process has under way at most: in all, and to webhooks whose last attempt was not accepted. */
const ALL = { working: 200, failing: 100 } as const
/** Those of them that are of one organization. */
const OF_ONE = { working: 50, failing: 25 } as const

/** Attempts that may be begun now, of webhooks that work or of those that fail. */
export interface Slots {
  readonly limit: number
  /** The most that one organization may have under way then, with those that it has already. */
  readonly ofOne: number
  /** What organizations have under way already, by their ids. */
  readonly held: ReadonlyMap<string, number>
}

/** Of an attempt under way. */
interface Holder {
  readonly organizationId: string
  /** Whether the attempt before it was not accepted. */
  readonly failing: boolean
}

/** What may be begun now. */
export interface FreeSlots {
  readonly working: Slots
  readonly failing: Slots
}

/**
 * Tells what may be begun beside what is under way. Never more than half of what is free, in all and for one organization: each
 * that comes with slow receivers gets less than the one before, and something is left for who comes next. It takes some ten such
 * organizations to fill all slots.
 */
export function freeSlots(underWay: Iterable<Holder>): FreeSlots {
  const held = { working: new Map<string, number>(), failing: new Map<string, number>() }
  const count = { working: 0, failing: 0 }
  for (const { organizationId, failing } of underWay) {
    const kind = failing ? 'failing' : 'working'
    count[kind]++
    held[kind].set(organizationId, (held[kind].get(organizationId) ?? 0) + 1)
  }
  const free = ALL.working - count.working - count.failing
  const slots = (kind: keyof FreeSlots, most: number): Slots => {
    const limit = Math.max(0, Math.ceil(most / 2))
    return { limit, ofOne: Math.min(OF_ONE[kind], limit), held: held[kind] }
  }
  return {
    working: slots('working', free),
    failing: slots('failing', Math.min(free, ALL.failing - count.failing)),
  }
}
