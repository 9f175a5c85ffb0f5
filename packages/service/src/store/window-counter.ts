import { Cache } from '@bearing/client-nats/cache'

/** Keys of one limit, at about 150 bytes each; the one that was counted longest ago is evicted. */
const MAX_KEYS = 100_000

interface Window {
  used: number
  readonly endsAtMs: number
}

/** Counts by key in fixed windows, in the memory of this process. */
export class WindowCounter {
  private readonly windows = new Cache<Window>(MAX_KEYS)

  /** @param nowMs a clock that never goes back */
  constructor(
    private readonly windowMs: number,
    private readonly nowMs: () => number = () => performance.now(),
  ) {}

  /** Adds points to the window of a key, and starts one of `windowMs` if there is none. */
  add(key: string, points: number, windowMs = this.windowMs): { used: number; endsInMs: number } {
    const now = this.now()
    let window = this.windows.get(key)
    if (!window || window.endsAtMs <= now) {
      window = { used: 0, endsAtMs: now + windowMs }
      this.windows.set(key, window)
    }
    window.used += points
    return { used: window.used, endsInMs: window.endsAtMs - now }
  }

  /** Returns the window of a key; undefined if there is none. */
  look(key: string): { used: number; endsInMs: number } | undefined {
    const window = this.windows.peek(key)
    const endsInMs = window ? window.endsAtMs - this.now() : 0
    return window && endsInMs > 0 ? { used: window.used, endsInMs } : undefined
  }

  delete(key: string): void {
    this.windows.delete(key)
  }

  /** Whole milliseconds: with fractions a window of 60 s would end after 60.00000000001 s, which headers say as 61. */
  private now(): number {
    return Math.floor(this.nowMs())
  }
}
