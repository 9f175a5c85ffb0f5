import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** The cost of a hash, as the library names it. */
export interface HashOptions {
  readonly memoryCost: number
  readonly timeCost: number
  readonly parallelism: number
}

export type HashJob =
  | { readonly kind: 'hash'; readonly password: string; readonly options: HashOptions }
  | { readonly kind: 'verify'; readonly password: string; readonly stored: string }

export type HashOutcome =
  { readonly hash: string } | { readonly right: boolean } | { readonly failure: string }

/** Time for which a thread waits for work before it ends, in milliseconds: it takes some MiB, and starts in a moment. */
const IDLE_MS = 10_000

/** A thread that waits for work, and the timer that ends it. */
interface IdleWorker {
  readonly worker: Worker
  readonly timer: NodeJS.Timeout
}

/**
 * Threads that hash passwords with the lowest priority, so that requests with tokens keep the processors. Node's own thread
 * pool stays free, since it signs claims.
 */
export class HashWorkers {
  private readonly idle: IdleWorker[] = []

  /** @param idleMs how long a thread waits for work before it ends, in milliseconds */
  constructor(private readonly idleMs = IDLE_MS) {}

  async hash(password: string, options: HashOptions): Promise<string> {
    const outcome = await this.run({ kind: 'hash', password, options })
    if ('hash' in outcome) return outcome.hash
    throw unexpected(outcome)
  }

  /** Returns whether a password matches a hash. */
  async verify(stored: string, password: string): Promise<boolean> {
    const outcome = await this.run({ kind: 'verify', stored, password })
    if ('right' in outcome) return outcome.right
    throw unexpected(outcome)
  }

  /** Uses an idle thread or starts one. The caller limits their number. */
  private async run(job: HashJob): Promise<HashOutcome> {
    const worker = this.wake() ?? new Worker(new URL('hash-worker.js', import.meta.url))
    const outcome = await answerOf(worker, job)
    this.rest(worker)
    return outcome
  }

  /** Returns the thread that has waited the shortest time, so that the others end. */
  private wake(): Worker | undefined {
    const found = this.idle.pop()
    clearTimeout(found?.timer)
    return found?.worker
  }

  private rest(worker: Worker): void {
    const timer = setTimeout(() => {
      this.idle.splice(this.idle.indexOf(waiting), 1)
      void worker.terminate()
    }, this.idleMs)
    const waiting = { worker, timer: timer.unref() }
    this.idle.push(waiting)
  }
}

/** Keeps the process alive until the response. A thread that fails is not used again. */
async function answerOf(worker: Worker, job: HashJob): Promise<HashOutcome> {
  const over = new AbortController()
  const ended = async (): Promise<never> => {
    const [code] = (await once(worker, 'exit', over)) as [number]
    throw new Error(`a password hashing thread exited with ${String(code)}`)
  }
  worker.ref()
  worker.postMessage(job)
  try {
    // An "error" event rejects both.
    const [outcome] = (await Promise.race([once(worker, 'message', over), ended()])) as [HashOutcome]
    return outcome
  } finally {
    over.abort()
    worker.unref()
  }
}

function unexpected(outcome: HashOutcome): Error {
  return new Error('failure' in outcome ? outcome.failure : 'a thread returned the result of another job')
}
