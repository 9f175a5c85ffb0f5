import pg from 'pg'

/** What a statement may say besides what the driver knows. */
export interface TimeLimit {
  /** How long it may take, in milliseconds, instead of what its connection allows. */
  readonly limitMs: number
}

type Answered = (error: Error | null, result?: unknown) => void

/**
 * Connections that give a statement up when it takes too long, as the driver's own `query_timeout` would: its caller gets an
 * error that says `Query read timeout`. The connection ends with it, since what it would say next belongs to nobody.
 *
 * The driver's own limit keeps what a statement has read alive until the next full collection: of a look-up that reads that
 * is 4.4 kB, where 0.6 are left with this one, and the collections of young garbage take less than half as long (decision 52).
 *
 * @param limitMs of a statement that does not say itself ({@link TimeLimit}), in milliseconds
 */
export function timedClient(limitMs: number): typeof pg.Client {
  return class TimedClient extends pg.Client {
    // One implementation for all that the driver's overloads allow, here and below.
    private readonly ask = super.query.bind(this) as (...parameters: unknown[]) => unknown

    override readonly query = ((...parameters: unknown[]): unknown => {
      // What reads and writes streams (COPY) takes as long as its stream does.
      if (isSubmittable(parameters[0])) return this.ask(...parameters)
      const answered = parameters.at(-1)
      if (typeof answered === 'function') {
        this.timed(parameters.slice(0, -1), answered as Answered)
        return undefined
      }
      return new Promise((resolve, reject) => {
        this.timed(parameters, (error, result) => {
          if (error) reject(error)
          else resolve(result)
        })
      })
    }) as pg.Client['query']

    private timed(parameters: readonly unknown[], answered: Answered): void {
      const ms = (parameters[0] as Partial<TimeLimit>).limitMs ?? limitMs
      const timer = setTimeout(() => {
        this.connection.stream.destroy(new Error('Query read timeout'))
      }, ms)
      this.ask(...parameters, (error: Error | null, result?: unknown) => {
        clearTimeout(timer)
        answered(error, result)
      })
    }
  }
}

function isSubmittable(asked: unknown): boolean {
  return typeof (asked as Partial<pg.Submittable> | undefined)?.submit === 'function'
}
