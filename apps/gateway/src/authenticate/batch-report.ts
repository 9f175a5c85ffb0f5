import type { Logger } from '@bearing/service/logger'

/**
 * Tells identity from time to time what was noted meanwhile, and one thing after the other. What cannot be told is told
 * the next time, and lost where the process dies before.
 */
export class Telling {
  private timer: NodeJS.Timeout | undefined
  private underWay: Promise<void> | undefined

  /**
   * @param tellNoted forgets what it has told; rejects where something is left
   * @param what it is about, for the log
   */
  constructor(
    private readonly tellNoted: () => Promise<void>,
    private readonly what: string,
    private readonly logger: Logger,
  ) {}

  /** Begins to tell, once in so many milliseconds. */
  start(intervalMs: number): void {
    this.timer ??= setInterval(() => void this.tell(), intervalMs)
  }

  /** Tells what is left, and no more. Never rejects. */
  async stop(): Promise<void> {
    clearInterval(this.timer)
    await this.underWay
    await this.tell()
  }

  private async tell(): Promise<void> {
    this.underWay ??= this.tellNoted()
      .catch((error: unknown) => {
        this.logger.warn({ err: error }, `${this.what} will be told later`)
      })
      .finally(() => {
        this.underWay = undefined
      })
    await this.underWay
  }
}
