import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { OperationError } from '@bearing/contracts/errors'
import type { ReferenceIndex } from '@bearing/positioning/references/reference-index'
import type { OnModuleDestroy } from '@nestjs/common'
import type { Scope } from '../../ground/scope.js'
import type { IndexAnswer, IndexingSettings } from './reference-worker.js'

/** Heap limits of the thread, in MiB: several times what the most scans need. Without a bound it could exhaust the process. */
const LIMITS = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16 }
/** Time for which an idle thread is kept, in milliseconds. It holds 20 to 80 MiB, and takes a tenth of a second to start. */
const REST_MS = 60_000

/**
 * Reads and indexes reference scans in a thread with its own connection, because collecting the garbage of a project's rows would
 * block look-ups. The index is transferred without a copy.
 */
export class ReferenceThread implements OnModuleDestroy {
  private worker: Worker | undefined
  private asked: PromiseWithResolvers<ReferenceIndex> | undefined
  private last: Promise<unknown> = Promise.resolve()
  private rest: NodeJS.Timeout | undefined
  private isStopped = false

  constructor(private readonly settings: IndexingSettings) {}

  /**
   * Returns the index of a project. One project after the other, so that only its rows are in memory.
   *
   * @param turnMs how long the project may wait for others, in milliseconds
   * @throws the driver's error if the database does not answer in time
   * @throws OperationError `service_unavailable` if the thread has ended, or others take too long
   */
  async index(scope: Scope, turnMs?: number): Promise<ReferenceIndex> {
    const others = this.last
    let isLate = false
    const indexed = others.then(() => {
      if (isLate) throw gone()
      return this.ask(scope)
    })
    this.last = indexed.catch(() => undefined)
    if (turnMs === undefined) return indexed
    const late = sleep(turnMs, true, { ref: false })
    isLate = await Promise.race([others.then(() => false), late])
    if (isLate) throw gone()
    return indexed
  }

  /** Ends the thread, whatever it is doing. */
  async stop(): Promise<void> {
    this.isStopped = true
    clearTimeout(this.rest)
    await this.worker?.terminate()
  }

  onModuleDestroy(): Promise<void> {
    return this.stop()
  }

  private async ask({ project_id, organization_id }: Scope): Promise<ReferenceIndex> {
    if (this.isStopped) throw gone()
    clearTimeout(this.rest)
    const worker = (this.worker ??= this.begin())
    this.asked = Promise.withResolvers()
    worker.postMessage([project_id, organization_id])
    try {
      return await this.asked.promise
    } finally {
      this.asked = undefined
      this.rest = setTimeout(() => {
        this.letGo()
      }, REST_MS).unref()
    }
  }

  private begin(): Worker {
    const url = new URL('reference-worker.js', import.meta.url)
    const worker = new Worker(url, { workerData: this.settings, resourceLimits: LIMITS })
    const lost = (cause?: unknown) => {
      if (this.worker !== worker) return
      this.worker = undefined
      this.asked?.reject(gone(cause))
    }
    return worker
      .on('message', (answer: IndexAnswer) => {
        if ('index' in answer) this.asked?.resolve(answer.index)
        else this.asked?.reject(Object.assign(new Error(answer.message), { code: answer.code }))
      })
      .on('error', lost)
      .on('exit', () => {
        lost()
      })
  }

  private letGo(): void {
    const { worker } = this
    this.worker = undefined
    void worker?.terminate()
  }
}

function gone(cause?: unknown): OperationError {
  return new OperationError(
    'service_unavailable',
    'Reference scans cannot be compared with at the moment. Try again shortly.',
    { retry_after: 1 },
    { cause },
  )
}
