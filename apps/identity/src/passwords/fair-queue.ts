/** Somebody who waits for a turn. */
interface Waiter {
  readonly go: () => void
  readonly giveUp: () => void
}

/** How many may go at once, and how many may wait. */
export interface QueueLimits {
  readonly concurrency: number
  readonly waiting: number
}

/**
 * A queue in which clients take turns: each has a line of its own, and the lines are served one after the other. Where all
 * places are taken, the newest of the longest line gives up its place to whoever has fewer. So no client can fill the
 * queue: others find a place as long as it has more than one.
 */
export class FairQueue {
  private busy = 0
  private waiting = 0
  /** The lines, the one that is next first. None is empty. */
  private readonly lines = new Map<string, Waiter[]>()

  constructor(private readonly limits: QueueLimits) {}

  /**
   * Waits for a turn. Whoever got one has to {@link leave}.
   *
   * @returns whether there was a place
   */
  enter(client: string): Promise<boolean> {
    if (!this.hasPlace(client)) return Promise.resolve(false)
    if (this.busy < this.limits.concurrency) {
      this.busy++
      return Promise.resolve(true)
    }
    if (this.waiting >= this.limits.waiting) this.makePlace()
    this.waiting++
    return new Promise((resolve) => {
      const waiter = {
        go: () => {
          resolve(true)
        },
        giveUp: () => {
          resolve(false)
        },
      }
      const line = this.lines.get(client)
      if (line) line.push(waiter)
      else this.lines.set(client, [waiter])
    })
  }

  /** Ends a turn: the next one goes. */
  leave(): void {
    const [next] = this.lines
    if (!next) {
      this.busy--
      return
    }
    const [client, line] = next
    this.waiting--
    line.shift()?.go()
    // To the end of the round.
    this.lines.delete(client)
    if (line.length > 0) this.lines.set(client, line)
  }

  /** Whether a client would find a place now. */
  hasPlace(client: string): boolean {
    if (this.busy < this.limits.concurrency || this.waiting < this.limits.waiting) return true
    const own = this.lines.get(client)?.length ?? 0
    return this.longest()[1].length > own + 1
  }

  private makePlace(): void {
    const [client, line] = this.longest()
    this.waiting--
    line.pop()?.giveUp()
    if (line.length === 0) this.lines.delete(client)
  }

  private longest(): readonly [string, Waiter[]] {
    return [...this.lines].reduce<readonly [string, Waiter[]]>(
      (longest, other) => (other[1].length > longest[1].length ? other : longest),
      ['', []],
    )
  }
}
