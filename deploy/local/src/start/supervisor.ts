import { setTimeout as sleep } from 'node:timers/promises'
import type { Child, Exit } from '@bearing/local/child'

/** A process that can be kept running. */
export type Running = Pick<Child, 'exited' | 'stop'>

interface Part {
  readonly name: string
  readonly launch: () => Promise<Running>
  running: Running | undefined
}

/** Delay before a part is started again, in milliseconds: doubled every time it does not help. */
const FIRST_DELAY_MS = 1_000
const LONGEST_DELAY_MS = 30_000
/** Time after which a part counts as started well, in milliseconds. */
const STEADY_MS = 60_000

/** Keeps the parts of a Bearing running, and stops them in the reverse order of their start. */
export class Supervisor {
  private readonly parts: Part[] = []
  private stopping = false

  /** @param say receives a line when a part has exited and when it runs again */
  constructor(private readonly say: (line: string) => void) {}

  /**
   * Starts a part and keeps it running.
   *
   * @throws where the first start fails
   */
  async run(name: string, launch: () => Promise<Running>): Promise<void> {
    const part: Part = { name, launch, running: undefined }
    this.parts.push(part)
    const running = await this.start(part)
    void this.keep(part, running)
  }

  /** Stops everything, the youngest first. */
  async stop(): Promise<void> {
    this.stopping = true
    for (const part of this.parts.toReversed()) await part.running?.stop()
  }

  private async start(part: Part): Promise<Running> {
    const running = await part.launch()
    part.running = running
    if (this.stopping) await running.stop()
    return running
  }

  private async keep(part: Part, first: Running): Promise<void> {
    let running: Running | undefined = first
    let delayMs = FIRST_DELAY_MS
    for (;;) {
      const startedAt = Date.now()
      const how = running ? reasonOf(await running.exited) : 'could not be started'
      if (this.stopping) return
      if (Date.now() - startedAt > STEADY_MS) delayMs = FIRST_DELAY_MS
      this.say(`${part.name} ${how}; starting it again in ${delayMs / 1000} s`)
      await sleep(delayMs)
      // Changed meanwhile, which the compiler does not see.
      if (this.stopping as boolean) return
      delayMs = Math.min(delayMs * 2, LONGEST_DELAY_MS)
      running = await this.start(part).catch((error: unknown) => {
        this.say((error as Error).message)
        return undefined
      })
      if (running) this.say(`${part.name} runs again`)
    }
  }
}

function reasonOf({ code, signal }: Exit): string {
  return signal === null ? `ended with code ${code}` : `was ended by ${signal}`
}
