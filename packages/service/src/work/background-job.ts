import { outsideCalls } from '@bearing/nats/call-context'
import type { OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common'
import type { Logger } from '../observe/logger.js'
import { warnSeldom } from '../observe/warn-seldom.js'

/** Share of the interval that is random, so that processes that started together do not run together. */
const JITTER = 0.1

/** Options of a {@link BackgroundJob}. */
export interface JobOptions {
  /** From the start of one run to the start of the next, in milliseconds, ±10 %. A run that takes longer delays the next. */
  readonly intervalMs: number
  /** One run. If it rejects, the job logs the error and runs again after the interval. */
  readonly run: () => Promise<unknown>
  readonly logger: Logger
  /** The log message of a failed run. The same error is logged at most once a minute. */
  readonly failure: string
}

/**
 * Runs work immediately and then at an interval, never twice at the same time. As a provider it starts with the
 * application and stops after the last call was answered, before relays and the database.
 */
export class BackgroundJob implements OnApplicationBootstrap, OnModuleDestroy {
  private timer: NodeJS.Timeout | undefined
  private underWay: Promise<void> | undefined
  private isRequested = false
  private state: 'new' | 'started' | 'stopping' = 'new'
  private readonly failed: (error: unknown) => void

  constructor(private readonly job: JobOptions) {
    this.failed = warnSeldom(job.logger, job.failure)
  }

  /** True if long work should end where it can be resumed: the process stops. */
  protected get isStopping(): boolean {
    return this.state === 'stopping'
  }

  /**
   * Repeats a statement that works on at most `batch` rows until fewer are left, or the process stops.
   *
   * @param some works on one batch and returns its number of rows
   */
  protected async inBatches(batch: number, some: () => Promise<number>): Promise<void> {
    while (!this.isStopping && (await some()) === batch);
  }

  /** Runs now and at every interval. */
  start(): void {
    if (this.state !== 'new') return
    this.state = 'started'
    this.kick()
  }

  /** Runs now, or again directly after the present run. */
  kick(): void {
    if (this.state !== 'started') return
    this.isRequested = true
    this.underWay ??= outsideCalls(() => this.runRequested()).finally(() => {
      this.underWay = undefined
      // A kick between the last run and this line.
      if (this.isRequested) this.kick()
    })
  }

  /** Starts no further run, and waits for the present one. */
  async stop(): Promise<void> {
    this.state = 'stopping'
    clearTimeout(this.timer)
    await this.underWay
  }

  onApplicationBootstrap(): void {
    this.start()
  }

  onModuleDestroy(): Promise<void> {
    return this.stop()
  }

  private async runRequested(): Promise<void> {
    const startedAtMs = performance.now()
    while (this.isRequested && !this.isStopping) {
      this.isRequested = false
      try {
        await this.job.run()
      } catch (error) {
        this.report(error)
      }
    }
    this.schedule(performance.now() - startedAtMs)
  }

  /** Work that was interrupted by the shutdown has not failed. */
  private report(error: unknown): void {
    if (!this.isStopping) this.failed(error)
  }

  private schedule(elapsedMs: number): void {
    if (this.isStopping) return
    const jitter = 1 + JITTER * (2 * Math.random() - 1)
    clearTimeout(this.timer)
    this.timer = setTimeout(
      () => {
        this.kick()
      },
      Math.max(0, this.job.intervalMs * jitter - elapsedMs),
    )
  }
}
