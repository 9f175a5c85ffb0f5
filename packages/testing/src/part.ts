import { closeSync, openSync, writeSync } from 'node:fs'
import { endOfFile, type Child, type Log } from '@bearing/local/child'

/** A started process. */
export type Running = Pick<Child, 'pid' | 'exited' | 'stop' | 'kill'>

/** Starts a process and waits until it is ready; its output goes to `log`. */
export type Launch = (log: Log) => Promise<Running>

const LINES_PRINTED = 20
/** Part that is read of a log that the process writes itself, in bytes from its end. */
const LOG_BYTES = 1024 * 1024

/** A process of a stack, which can be stopped, killed and started again at the same address. */
export class Part {
  private running: Promise<Running> | undefined
  private id: number | undefined
  private readonly lines: string[] = []

  /**
   * @param launch starts the process; called again for every start
   * @param logFile gets every line that it prints, as well as {@link output}
   * @param writesLogFile true if the process writes the log file itself, and `launch` lets it
   */
  constructor(
    readonly name: string,
    private readonly launch: Launch,
    private readonly logFile?: string,
    private readonly writesLogFile = false,
  ) {}

  /** Process id. */
  get pid(): number {
    if (this.id === undefined) throw new Error(`${this.name} does not run`)
    return this.id
  }

  /**
   * Starts it, and waits until it is ready. Does nothing where it runs.
   *
   * @throws where it does not become ready, with what it printed
   */
  async start(): Promise<void> {
    this.running ??= this.begin()
    await this.running
  }

  /** Lets it end in good order. Does nothing where it does not run. */
  async stop(): Promise<void> {
    await this.end((running) => running.stop())
  }

  /** Ends it as a crash would. */
  async kill(): Promise<void> {
    await this.end((running) => running.kill())
  }

  /** Stops it and starts it again. */
  async restart(): Promise<void> {
    await this.stop()
    await this.start()
  }

  /** Returns the output of all its starts; the last MiB if it writes its log file itself. */
  output(): string {
    return this.writesLogFile && this.logFile !== undefined
      ? endOfFile(this.logFile, LOG_BYTES)
      : this.lines.join('\n')
  }

  private async begin(): Promise<Running> {
    // Kept open, so that clearing the logs does not break it.
    const file = this.logFile === undefined || this.writesLogFile ? undefined : openSync(this.logFile, 'a')
    const close = () => {
      if (file !== undefined) closeSync(file)
    }
    try {
      const running = await this.launch((line) => {
        this.lines.push(line)
        if (file !== undefined) writeSync(file, `${line}\n`)
      })
      this.id = running.pid
      void running.exited.then(close)
      void this.reportCrash(running)
      return running
    } catch (error) {
      close()
      this.running = undefined
      throw error
    }
  }

  /** Without this line, tests that fail because a process is gone would not say so. */
  private async reportCrash({ pid, exited }: Running): Promise<void> {
    const { code, signal } = await exited
    if (this.id !== pid) return
    process.stderr.write(`\n${this.name} crashed with ${signal ?? `code ${code}`}:\n`)
    for (const line of this.output().split('\n').slice(-LINES_PRINTED)) process.stderr.write(`  ${line}\n`)
  }

  private async end(how: (running: Running) => Promise<void>): Promise<void> {
    // One that is still starting is waited for; one that could not start is gone already.
    const running = await this.running?.catch(() => undefined)
    this.running = undefined
    this.id = undefined
    if (running) await how(running)
  }
}
