import { Cache } from '@bearing/client-nats/cache'
import { BackgroundJob } from '@bearing/service/work/background-job'
import type { Logger } from '@bearing/service/observe/logger'
import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common'

/**
 * Reports what was noted to identity, at an interval and at shutdown. A failed report is repeated with the next one; what was
 * not reported is lost if the process crashes.
 */
export abstract class BatchReport implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly job: BackgroundJob

  constructor(
    intervalMs: number,
    private readonly failure: string,
    protected readonly logger: Logger,
  ) {
    this.job = new BackgroundJob({ intervalMs, run: () => this.report(), logger, failure })
  }

  /** Reports what was noted, and rejects if something is left. */
  protected abstract report(): Promise<void>

  onApplicationBootstrap(): void {
    this.job.start()
  }

  /** After the last request: reports the rest. */
  async onApplicationShutdown(): Promise<void> {
    await this.job.stop()
    await this.report().catch((error: unknown) => {
      this.logger.warn({ err: error }, this.failure)
    })
  }
}

/** The timeout of one batch of uses, in milliseconds: a shutdown waits for it. */
export const USES_TIMEOUT_MS = 2_000

/** Reports when credentials were last used, by id. A request only pays for memory. */
export abstract class UseReport<Use extends number | object> extends BatchReport {
  protected readonly uses: Cache<Use>

  /**
   * @param of the credentials, in the plural
   * @param most credentials whose uses wait for the next report
   * @param batchSize uses of one call
   */
  constructor(
    intervalMs: number,
    of: string,
    logger: Logger,
    most: number,
    private readonly batchSize: number,
  ) {
    super(intervalMs, `uses of ${of} are reported later`, logger)
    this.uses = new Cache<Use>(most)
  }

  protected async report(): Promise<void> {
    const entries = [...this.uses.entries()]
    for (let at = 0; at < entries.length; at += this.batchSize)
      await this.reportBatch(entries.slice(at, at + this.batchSize))
  }

  protected async reportBatch(batch: readonly (readonly [string, Use])[]): Promise<void> {
    await this.send(batch)
    // A credential that was used again meanwhile is reported the next time.
    for (const [id, use] of batch) if (this.uses.peek(id) === use) this.uses.delete(id)
  }

  protected abstract send(batch: readonly (readonly [string, Use])[]): Promise<void>
}
