import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { OwnCalibration } from '@bearing/positioning/calibration/own-calibration'
import { packPage, type ReferenceRow } from './surveyed-page.js'

/** What a thread may use of memory: some times what the most scans need. Without a bound it could end the process. */
const LIMITS = { maxOldGenerationSizeMb: 512 }

/** A thread that fits radii to scans, once. */
export class RefitThread {
  private readonly worker = new Worker(new URL('refit-worker.js', import.meta.url), {
    resourceLimits: LIMITS,
  })
  private readonly outcome: Promise<OwnCalibration>

  constructor() {
    this.outcome = outcomeOf(this.worker)
    // A caller that never awaits the outcome gets no unhandled rejection.
    this.outcome.catch(() => undefined)
  }

  /** Hands it some of the scans. */
  add(rows: readonly ReferenceRow[]): void {
    this.worker.postMessage(packPage(rows))
  }

  /**
   * Fits to the scans that were added.
   *
   * @throws Error where the thread fails or is ended
   */
  fit(): Promise<OwnCalibration> {
    this.worker.postMessage(null)
    return this.outcome
  }

  /** Ends it, whatever it is doing. */
  async end(): Promise<void> {
    await this.worker.terminate()
  }
}

async function outcomeOf(worker: Worker): Promise<OwnCalibration> {
  const over = new AbortController()
  const ended = async (): Promise<never> => {
    const [code] = (await once(worker, 'exit', over)) as [number]
    throw new Error(`a thread that fits radii has ended with ${String(code)}`)
  }
  try {
    // An event "error" rejects both.
    const [outcome] = (await Promise.race([once(worker, 'message', over), ended()])) as [OwnCalibration]
    return outcome
  } finally {
    over.abort()
  }
}
