import { OperationError } from '@bearing/contracts/errors'

/** Options of one lookup. */
export interface Lookup {
  /** True if a cached value, or one that is on its way, is not good enough. */
  readonly fresh?: boolean
  /** Time that the caller waits, in milliseconds (default: no limit). */
  readonly waitMs?: number
}

/** Fetches that several callers wait for, by key (single flight). */
export class SharedFetches<Value> {
  private flights = new Map<string, Promise<Value>>()

  constructor(private readonly elapsed: () => number) {}

  /**
   * Waits for the fetch of a key that is under way, or begins one.
   *
   * @throws the error of the fetch; OperationError `deadline_exceeded` if it took longer than the caller waits
   */
  async share(
    key: string,
    fetch: () => Promise<Value>,
    { fresh, waitMs = Infinity }: Lookup,
  ): Promise<Value> {
    const untilMs = this.elapsed() + waitMs
    for (;;) {
      const joined = fresh ? undefined : this.flights.get(key)
      const flight = joined ?? this.depart(key, fetch())
      try {
        const value = await inTime(flight, untilMs - this.elapsed())
        if (value !== undefined) return value
      } catch (error) {
        // The joined fetch started earlier: its time is over, this caller's is not.
        if (joined && isTooLate(error)) continue
        throw error
      }
      throw new OperationError('deadline_exceeded', 'The answer did not come in time. Try again shortly.', {
        retry_after: 1,
      })
    }
  }

  /** Begins a fetch that nobody waits for, unless one is under way. */
  begin(key: string, fetch: () => Promise<Value>): void {
    if (!this.flights.has(key)) this.depart(key, fetch()).catch(() => undefined)
  }

  /** Lets no caller join the fetches that are under way. */
  reset(): void {
    this.flights = new Map()
  }

  private depart(key: string, flight: Promise<Value>): Promise<Value> {
    this.flights.set(key, flight)
    const land = () => {
      if (this.flights.get(key) === flight) this.flights.delete(key)
    }
    flight.then(land, land)
    return flight
  }
}

function isTooLate(error: unknown): boolean {
  return error instanceof OperationError && error.code === 'deadline_exceeded'
}

/**
 * Waits for an answer, but not longer than the caller has time.
 *
 * @returns undefined where it did not come in time
 */
export async function inTime<Answer>(answer: Promise<Answer>, waitMs: number): Promise<Answer | undefined> {
  if (waitMs === Infinity) return answer
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<undefined>((resolve) => {
    timer = setTimeout(
      () => {
        resolve(undefined)
      },
      // Of a negative time-out Node makes 1 ms, with a warning.
      Math.max(0, waitMs),
    )
  })
  try {
    return await Promise.race([answer, tooLate])
  } finally {
    clearTimeout(timer)
  }
}
