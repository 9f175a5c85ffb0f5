/** Does something now and again and again, until it is stopped. It is never done twice at once. */
export class Repeating {
  private timer: NodeJS.Timeout | undefined
  private underWay: Promise<void> | undefined
  /** Whether long work should end at the next place where it can: the process is about to. */
  protected isStopping = false

  /**
   * @param work rejects where it could not be done; then it is done the next time
   * @param failed told of that
   */
  constructor(
    private readonly everyMs: number,
    private readonly work: () => Promise<void>,
    private readonly failed: (error: unknown) => void,
  ) {}

  /** Begins, at once. */
  start(): void {
    const run = () => {
      this.underWay ??= this.work()
        .catch(this.failed)
        .finally(() => {
          this.underWay = undefined
        })
    }
    this.timer ??= setInterval(run, this.everyMs)
    run()
  }

  /** Begins no more, and waits for what is under way. */
  async stop(): Promise<void> {
    this.isStopping = true
    clearInterval(this.timer)
    await this.underWay
  }
}
