import { Cache } from './cache.js'
import { KnownChanges } from './known-changes.js'
import { SharedFetches, type Lookup } from './shared-fetches.js'
import { TaggedEntries, type Entry, type TaggedEntriesOptions } from './tagged-entries.js'

export type { Lookup } from './shared-fetches.js'

/** Figures of a cache, for metrics. */
export interface CacheFigures {
  /** Lookups answered from the cache. */
  readonly hits: number
  /** Lookups that had to wait for a fetch. */
  readonly misses: number
  /** Entries at the moment. */
  readonly size: number
}

/**
 * Fetches a value from the service that owns it.
 *
 * @param again true if the first reply was older than a change: this one must not come from a cache of that service
 */
export type Fetch<Value> = (again: boolean) => Promise<Value>

/** Options of a {@link RemoteCache}. Times in milliseconds. */
export interface RemoteCacheOptions<Value> extends TaggedEntriesOptions<Value> {
  /** Time for which a value is returned without fetching it again; 0: it is not cached. Counted from the start of the fetch. */
  readonly freshMs: (value: Value) => number
  /** Returns the age of the owner's own cached reply, in milliseconds (default: 0). */
  readonly ageOf?: (value: Value) => number
  /** Time after its fetch for which a value is still returned if a fetch fails (default: none). */
  readonly staleMs?: number
  /** If true, an expired value within `staleMs` is returned immediately, while it is fetched again. Never after an invalidation. */
  readonly refreshAhead?: boolean
  /**
   * Age at which a value that is used while it is fresh is fetched again in the background, so that it is young when the owner
   * goes away (default: never). It is not returned longer for that.
   */
  readonly renewAfterMs?: (value: Value) => number
  /** Pause after a failed fetch before the next one (default: 0). */
  readonly retryMs?: number
  /** Called with the error of each failed fetch. */
  readonly failed?: (error: unknown) => void
  /** Milliseconds since any moment (default: `performance.now`). */
  readonly elapsed?: () => number
}

/** Fetches in the background at the same time. With more to renew, a later use tries again. */
const MAX_RENEWALS = 32
/** Pause from the start of a renewal, which may have failed, to the next one, in milliseconds. */
const RENEW_AGAIN_MS = 1_000

/**
 * Caches values that another service owns, and that its events invalidate.
 *
 * - Callers that miss the same key share one fetch. Each waits as long as it says; if the shared fetch fails because its own
 *   time is over, a caller with time left fetches again.
 * - A fetch that races with an invalidation answers the callers that came before, and is not cached. Callers that come after
 *   the invalidation fetch again.
 * - A reply from the owner's own cache that is older than a known change is fetched once more.
 * - If a fetch fails, the last value is returned for `staleMs` after it was fetched; then callers receive the error.
 */
export class RemoteCache<Value extends object | string | number | boolean> {
  private readonly entries: TaggedEntries<Value>
  private readonly failures: Cache<{ readonly error: unknown; readonly untilMs: number }>
  private readonly flights: SharedFetches<Value>
  private readonly changes = new KnownChanges()
  private hits = 0
  private misses = 0
  private renewals = 0
  private readonly elapsed: () => number

  constructor(private readonly options: RemoteCacheOptions<Value>) {
    this.elapsed = options.elapsed ?? (() => performance.now())
    this.flights = new SharedFetches(this.elapsed)
    this.entries = new TaggedEntries(options)
    this.failures = new Cache(options.maxEntries)
  }

  get figures(): CacheFigures {
    return { hits: this.hits, misses: this.misses, size: this.entries.size }
  }

  /**
   * Returns the cached value; undefined if it has to be fetched.
   *
   * @param renew fetches the value in the background when it is older than `renewAfterMs` (default: it is not renewed)
   */
  recall(key: string, renew?: (value: Value) => Fetch<Value>): Value | undefined {
    const entry = this.entries.use(key)
    if (!entry) return undefined
    const nowMs = this.elapsed()
    if (nowMs < entry.freshUntilMs) {
      this.hits++
      if (renew && nowMs >= entry.renewAtMs) this.renew(key, entry, renew(entry.value))
      return entry.value
    }
    if (this.options.staleMs === undefined) this.entries.delete(key)
    return undefined
  }

  /** Returns what was cached last, expired or not, without using it. */
  last(key: string): Value | undefined {
    return this.entries.peek(key)?.value
  }

  /**
   * Returns the cached value, or fetches it.
   *
   * @throws the error of the fetch; OperationError `deadline_exceeded` if it took longer than the caller waits
   */
  async get(key: string, fetch: Fetch<Value>, lookup: Lookup = {}): Promise<Value> {
    const known = lookup.fresh ? undefined : (this.recall(key) ?? this.postponed(key))
    if (known !== undefined) return known
    this.misses++
    const ahead = lookup.fresh ? undefined : this.ahead(key)
    if (ahead === undefined) return this.flights.share(key, () => this.load(key, fetch), lookup)
    // Nobody waits for it.
    this.flights.begin(key, () => this.load(key, fetch))
    return ahead
  }

  /**
   * Fetches what belongs to a cached value, with the rules of {@link get}, and does not cache it.
   *
   * @param key of what is fetched
   * @param fetched receives the reply, and whether it may be kept: nothing it depends on has changed since
   */
  async fetch(
    key: string,
    fetch: Fetch<Value>,
    fetched: (value: Value, mayKeep: boolean) => void,
    lookup: Lookup = {},
  ): Promise<Value> {
    const load = async () => {
      const { value, startedAtMs } = await this.fetchCurrent(key, fetch)
      fetched(value, !this.hasChanged(key, value, startedAtMs))
      return value
    }
    return this.flights.share(key, load, lookup)
  }

  /** Removes a value, if it is still this one. */
  removeIf(key: string, value: Value): void {
    if (this.entries.peekPositive(key)?.value === value) this.entries.delete(key)
  }

  /** Returns true if the cache contains this very value. */
  has(key: string, value: Value): boolean {
    return this.entries.peekPositive(key)?.value === value
  }

  /** Invalidates each value that has one of the tags. */
  invalidate(tags: readonly string[]): void {
    for (const key of tags.flatMap((tag) => this.entries.keysOf(tag))) this.drop(key)
    this.changes.record(tags, this.elapsed())
    // Callers that come from now on must not receive a reply to an earlier question.
    this.flights.reset()
  }

  /** Invalidates everything: events may have been missed. */
  clear(): void {
    for (const key of this.entries.keys()) this.drop(key)
    this.clearNegative()
    this.failures.clear()
    this.changes.recordAll(this.elapsed())
    this.flights.reset()
  }

  /** Removes what is kept apart as negative. */
  clearNegative(): void {
    this.entries.clearNegative()
  }

  private renew(key: string, entry: Entry<Value>, fetch: Fetch<Value>): void {
    if (this.renewals >= MAX_RENEWALS) return
    entry.renewAtMs = this.elapsed() + RENEW_AGAIN_MS
    this.flights.begin(key, async () => {
      this.renewals++
      try {
        return await this.load(key, fetch)
      } finally {
        this.renewals--
      }
    })
  }

  private async load(key: string, fetch: Fetch<Value>): Promise<Value> {
    const triedAtMs = this.elapsed()
    try {
      const { value, startedAtMs } = await this.fetchCurrent(key, fetch)
      if (!this.hasChanged(key, value, startedAtMs)) this.keep(key, value, startedAtMs)
      return value
    } catch (error) {
      this.options.failed?.(error)
      return this.fallBack(key, triedAtMs, error)
    }
  }

  /** Fetches, and once more if the reply is older than a change that is known. */
  private async fetchCurrent(
    key: string,
    fetch: Fetch<Value>,
  ): Promise<{ readonly value: Value; readonly startedAtMs: number }> {
    const startedAtMs = this.elapsed()
    const value = await fetch(false)
    const ageMs = this.options.ageOf?.(value) ?? 0
    if (ageMs === 0 || !this.hasChanged(key, value, startedAtMs - ageMs)) return { value, startedAtMs }
    const startedAgainAtMs = this.elapsed()
    return { value: await fetch(true), startedAtMs: startedAgainAtMs }
  }

  /** @throws the error, if no value may be used in its place */
  private fallBack(key: string, triedAtMs: number, error: unknown): Value {
    const { staleMs = 0, retryMs = 0 } = this.options
    const entry = this.entries.peek(key)
    const retryAtMs = this.hasChanged(key, entry?.value, triedAtMs) ? -Infinity : this.elapsed() + retryMs
    if (entry && this.elapsed() - entry.fetchedAtMs < staleMs) {
      entry.retryAtMs = retryAtMs
      return entry.value
    }
    if (retryMs > 0) this.failures.set(key, { error, untilMs: retryAtMs })
    throw error as Error // rejected by the fetch
  }

  /** Returns the stale value while no fetch is tried after a failure. @throws the error of that failure, if there is none */
  private postponed(key: string): Value | undefined {
    const { staleMs, retryMs } = this.options
    if (retryMs === undefined) return undefined
    const nowMs = this.elapsed()
    const entry = this.entries.peek(key)
    if (entry && nowMs < entry.retryAtMs && nowMs - entry.fetchedAtMs < (staleMs ?? 0)) return entry.value
    const failure = this.failures.get(key)
    if (failure && nowMs < failure.untilMs) throw failure.error as Error // rejected by the fetch
    return undefined
  }

  private ahead(key: string): Value | undefined {
    const { refreshAhead = false, staleMs = 0 } = this.options
    const entry = refreshAhead ? this.entries.peek(key) : undefined
    return entry && !entry.isInvalid && this.elapsed() - entry.fetchedAtMs < staleMs ? entry.value : undefined
  }

  private keep(key: string, value: Value, fetchedAtMs: number): void {
    const { freshMs, staleMs, renewAfterMs } = this.options
    const freshUntilMs = fetchedAtMs + freshMs(value)
    this.failures.delete(key)
    // The value before it may still be there, if this is a renewal.
    this.entries.delete(key)
    // A value that took longer than it is fresh still serves while fetches fail.
    if (freshUntilMs <= this.elapsed() && staleMs === undefined) return
    this.entries.set(key, {
      value,
      fetchedAtMs,
      freshUntilMs,
      renewAtMs: fetchedAtMs + (renewAfterMs?.(value) ?? Infinity),
      retryAtMs: -Infinity,
      isInvalid: false,
    })
  }

  private drop(key: string): void {
    this.failures.delete(key)
    const entry = this.entries.peekPositive(key)
    if (!entry || this.options.staleMs === undefined) {
      this.entries.delete(key)
      return
    }
    this.entries.deleteNegative(key)
    // It still serves while fetches fail.
    Object.assign(entry, { freshUntilMs: -Infinity, retryAtMs: -Infinity, isInvalid: true })
  }

  /** Returns true if something that a value depends on changed at or after a time. */
  private hasChanged(key: string, value: Value | undefined, sinceMs: number): boolean {
    return this.changes.includeAny(this.entries.tagsOf(key, value), sinceMs)
  }
}
