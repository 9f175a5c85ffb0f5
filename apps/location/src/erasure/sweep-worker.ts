import type { Logger } from '@bearing/service/logger'
import { warnSeldom } from '@bearing/service/warn-seldom'
import type pg from 'pg'
import type { SweepContext } from './sweep.js'
import { sweepInTurns } from './sweep-turns.js'

/** How often it looks for something to sweep, in milliseconds: what another process left behind. */
const LOOK_MS = 5_000

/**
 * Takes what has to be forgotten out of what was contributed and stored, in every process of the service. What is taken up
 * by one is left alone by the others; when that one dies, another begins it again.
 */
export class SweepWorker {
  private timer: NodeJS.Timeout | undefined
  private running: Promise<void> | undefined
  private again = false
  private stopped = false
  /** Somebody was promised that it is gone. */
  private readonly failed: (error: unknown) => void

  constructor(
    private readonly pool: pg.Pool,
    logger: Logger,
    private readonly context: SweepContext,
  ) {
    this.failed = warnSeldom(
      logger,
      'what has to be forgotten cannot be taken out of what is stored; trying again every few seconds',
    )
  }

  /** Begins to look for work. */
  start(): void {
    this.timer = setInterval(() => {
      this.kick()
    }, LOOK_MS)
  }

  /** Looks for work now. */
  kick(): void {
    if (this.stopped) return
    this.again = true
    this.running ??= this.run().finally(() => {
      this.running = undefined
    })
  }

  /** Finishes the step that is under way, and stops. */
  async stop(): Promise<void> {
    this.stopped = true
    clearInterval(this.timer)
    await this.running
  }

  private async run(): Promise<void> {
    while (this.shallLook()) {
      this.again = false
      try {
        await sweepInTurns(this.pool, this.context, () => this.stopped, this.failed)
      } catch (error) {
        this.failed(error)
      }
    }
  }

  private shallLook(): boolean {
    return this.again && !this.stopped
  }
}
