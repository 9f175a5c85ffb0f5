/** Number of callers that have a turn at the same time, and number that may wait for one. */
export interface QueueLimits {
  readonly concurrency: number
  readonly waiting: number
}

/** Groups that a caller belongs to, widest first: for example class, /48, /56, /64. At least one. */
export type QueuePath = readonly string[]

/** Resolves the wait of a caller: true for its turn, false if a smaller group displaced it. */
type Settle = (entered: boolean) => void

/**
 * All callers that wait in one group. It has either subgroups or, on the last level, callers.
 *
 * `size` is the number of callers in it and below. No group in the tree is empty.
 */
class Group {
  size = 0
  readonly callers: Settle[] = []
  /** The subgroup whose turn is next comes first. */
  readonly subgroups = new Map<string, Group>()

  /** The largest subgroup, the one that waits longest for its turn where several are. */
  largest(): [string, Group] | undefined {
    let largest: [string, Group] | undefined
    for (const entry of this.subgroups) if (!largest || entry[1].size > largest[1].size) largest = entry
    return largest
  }
}

/**
 * A queue whose turns are shared fairly on every level of a hierarchy: the widest groups take turns, within each its
 * subgroups, and so on. If the queue is full, a caller displaces the newest caller of a larger group, on the widest level
 * where the two differ. So a group with thousands of subgroups still has the share of one group.
 *
 * A caller that is not displaced gets its turn after at most one turn of each other group on each level, for each caller that
 * waits before it in its own groups. Memory is bounded by `waiting`.
 */
export class FairQueue {
  private busy = 0
  private readonly root = new Group()

  constructor(private readonly limits: QueueLimits) {}

  /**
   * Waits for a turn. A caller that got one has to {@link leave}.
   *
   * @param path of the same length for all callers of a widest group
   * @returns false if the queue is full, or if a smaller group displaced the caller
   */
  enter(path: QueuePath): Promise<boolean> {
    if (this.busy < this.limits.concurrency) {
      this.busy++
      return Promise.resolve(true)
    }
    if (this.root.size >= this.limits.waiting) {
      const victim = this.victimFor(path)
      if (!victim) return Promise.resolve(false)
      this.remove(victim, 'newest')?.(false)
    }
    return new Promise((resolve) => {
      this.add(path, resolve)
    })
  }

  /** Ends a turn and starts the next one. */
  leave(): void {
    if (this.root.size === 0) this.busy--
    else this.remove(this.nextPath(), 'oldest')?.(true)
  }

  /** Returns whether the queue would accept a caller now. */
  accepts(path: QueuePath): boolean {
    if (this.busy < this.limits.concurrency || this.root.size < this.limits.waiting) return true
    return this.victimFor(path) !== undefined
  }

  private add(path: QueuePath, caller: Settle): void {
    let group = this.root
    group.size++
    for (const key of path) {
      const subgroup = group.subgroups.get(key) ?? new Group()
      group.subgroups.set(key, subgroup)
      subgroup.size++
      group = subgroup
    }
    group.callers.push(caller)
  }

  /** Removes a caller from the last group of a path. If it got a turn, its groups move to the end of the round. */
  private remove(path: QueuePath, which: 'oldest' | 'newest'): Settle | undefined {
    let group = this.root
    group.size--
    for (const key of path) {
      const subgroup = group.subgroups.get(key)
      if (!subgroup) return undefined
      subgroup.size--
      if (which === 'oldest' || subgroup.size === 0) group.subgroups.delete(key)
      if (which === 'oldest' && subgroup.size > 0) group.subgroups.set(key, subgroup)
      group = subgroup
    }
    return which === 'oldest' ? group.callers.shift() : group.callers.pop()
  }

  private nextPath(): QueuePath {
    const path: string[] = []
    for (let group = this.root; group.subgroups.size > 0;) {
      const [next] = group.subgroups
      if (!next) break
      path.push(next[0])
      group = next[1]
    }
    return path
  }

  /**
   * Returns the path of the group whose newest caller is displaced: on the widest level where another group would still be
   * no smaller than the caller's own after that.
   */
  private victimFor(path: QueuePath): QueuePath | undefined {
    let group = this.root
    for (const [level, key] of path.entries()) {
      const own = group.subgroups.get(key)
      const largest = group.largest()
      if (largest && largest[0] !== key && largest[1].size > (own?.size ?? 0) + 1)
        return [...path.slice(0, level), largest[0], ...largestPath(largest[1])]
      if (!own) return undefined
      group = own
    }
    return undefined
  }
}

/** Returns the path from a group down to its largest subgroups. */
function largestPath(group: Group): QueuePath {
  const largest = group.largest()
  return largest ? [largest[0], ...largestPath(largest[1])] : []
}
