import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** What one hash costs, in the words of the library. */
export interface HashOptions {
  readonly memoryCost: number
  readonly timeCost: number
  readonly parallelism: number
}

/** What a worker is asked. */
export type HashJob =
  | { readonly kind: 'hash'; readonly password: string; readonly options: HashOptions }
  | { readonly kind: 'verify'; readonly password: string; readonly stored: string }

/** What a worker answers. */
export type HashOutcome =
  { readonly hash: string } | { readonly right: boolean } | { readonly failure: string }

/**
 * Threads that hash passwords, with the lowest priority: argon2 would take whole processors away from those who come with
 * a token. They are not the threads that Node has for itself, which sign claims among other things.
 */
export class HashWorkers {
  private readonly idle: Worker[] = []

  /** Hashes a password. */
  async hash(password: string, options: HashOptions): Promise<string> {
    const outcome = await this.run({ kind: 'hash', password, options })
    if ('hash' in outcome) return outcome.hash
    throw unexpected(outcome)
  }

  /** Whether a password is the one that a hash was made of. */
  async verify(stored: string, password: string): Promise<boolean> {
    const outcome = await this.run({ kind: 'verify', stored, password })
    if ('right' in outcome) return outcome.right
    throw unexpected(outcome)
  }

  /** Takes a thread that has nothing to do, or a new one: whoever calls sees to it that there are not too many. */
  private async run(job: HashJob): Promise<HashOutcome> {
    const worker = this.idle.pop() ?? new Worker(new URL('hash-worker.js', import.meta.url))
    const outcome = await answerOf(worker, job)
    this.idle.push(worker)
    return outcome
  }
}

/** Keeps the process up for as long as the answer takes, and no longer. A thread that fails is not used again. */
async function answerOf(worker: Worker, job: HashJob): Promise<HashOutcome> {
  const over = new AbortController()
  const ended = async (): Promise<never> => {
    const [code] = (await once(worker, 'exit', over)) as [number]
    throw new Error(`a thread that hashes passwords has ended with ${String(code)}`)
  }
  worker.ref()
  worker.postMessage(job)
  try {
    // An event "error" rejects both.
    const [outcome] = (await Promise.race([once(worker, 'message', over), ended()])) as [HashOutcome]
    return outcome
  } finally {
    over.abort()
    worker.unref()
  }
}

function unexpected(outcome: HashOutcome): Error {
  return new Error('failure' in outcome ? outcome.failure : 'a thread has answered another question')
}
