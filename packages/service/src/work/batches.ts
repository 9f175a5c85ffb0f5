import { databaseUnavailable } from '../ground/unavailable.js'

/** An item that waits for the run of its batch. */
interface Waiting<Item, Result> {
  readonly item: Item
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

/**
 * Runs items together that come in one turn of the event loop, or while earlier ones are being worked on: for statements whose cost
 * depends more on their number than on their rows. The busier a process is, the larger its batches.
 */
export class Batches<Item, Result> {
  private readonly waiting: Waiting<Item, Result>[] = []
  private running = 0

  constructor(
    /** Returns the results in the order of the items. If it fails it has done nothing: each item is then run alone, unless the database is unavailable. */
    private readonly run: (items: readonly Item[]) => Promise<readonly Result[]>,
    private readonly limits: { readonly items: number; readonly concurrency: number },
  ) {}

  /** @throws as the run of its batch */
  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, resolve, reject })
      if (this.waiting.length === 1) setImmediate(() => this.begin())
    })
  }

  private begin(): void {
    while (this.waiting.length > 0 && this.running < this.limits.concurrency) {
      this.running++
      void this.settle(this.waiting.splice(0, this.limits.items))
    }
  }

  private async settle(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.run(batch.map(({ item }) => item))
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result) // one for each item
    } catch (error) {
      // One item may be at fault, and must not cost those of other callers.
      if (batch.length > 1 && !databaseUnavailable(error))
        await Promise.all(batch.map((one) => this.runAlone(one)))
      else for (const { reject } of batch) reject(error)
    } finally {
      this.running--
      this.begin()
    }
  }

  private async runAlone({ item, resolve, reject }: Waiting<Item, Result>): Promise<void> {
    try {
      const [result] = await this.run([item])
      resolve(result as Result) // as above
    } catch (error) {
      reject(error)
    }
  }
}
