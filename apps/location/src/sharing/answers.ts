import type { Clock } from '@bearing/service/clock'
import { LRUCache } from 'lru-cache'

/** An answer is used for this long if no other one can be had, in milliseconds. */
const STALE_MS = 600_000
/** After a failure nobody asks for this long, in milliseconds. */
const FAILED_MS = 2_000

interface Held<Answer> {
  readonly answer: Answer | undefined
  readonly answeredAtMs: number
  readonly askAgainAtMs: number
}

/** How answers are cached. */
export interface AnswerOptions {
  /** The most keys. */
  readonly most: number
  /** An answer is used without asking again for this long, in milliseconds. */
  readonly freshMs: number
  readonly clock: Clock
  readonly failed: (error: unknown) => void
}

/** Caches answers of another service by key, and keeps using them for a while if it does not answer. */
export class Answers<Answer extends object> {
  private readonly held: LRUCache<string, Held<Answer>>
  private readonly asking = new Map<string, Promise<Held<Answer>>>()

  constructor(
    private readonly ask: (key: string) => Promise<Answer>,
    private readonly options: AnswerOptions,
  ) {
    this.held = new LRUCache({ max: options.most })
  }

  /** Returns undefined if there is no answer, or none that is recent enough. Never rejects. */
  async of(key: string): Promise<Answer | undefined> {
    const nowMs = this.options.clock.nowMs()
    const known = this.held.get(key)
    const held = known && nowMs < known.askAgainAtMs ? known : await this.refresh(key, known)
    return nowMs - held.answeredAtMs < STALE_MS ? held.answer : undefined
  }

  private refresh(key: string, known: Held<Answer> | undefined): Promise<Held<Answer>> {
    const asking = this.asking.get(key) ?? this.read(key, known)
    this.asking.set(key, asking)
    return asking
  }

  private async read(key: string, known: Held<Answer> | undefined): Promise<Held<Answer>> {
    const { clock, freshMs, failed } = this.options
    const nowMs = clock.nowMs()
    let held: Held<Answer>
    try {
      held = { answer: await this.ask(key), answeredAtMs: nowMs, askAgainAtMs: nowMs + freshMs }
    } catch (error) {
      failed(error)
      const none = { answer: undefined, answeredAtMs: nowMs }
      held = { ...(known ?? none), askAgainAtMs: nowMs + FAILED_MS }
    }
    this.held.set(key, held)
    this.asking.delete(key)
    return held
  }
}
