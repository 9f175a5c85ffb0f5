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
