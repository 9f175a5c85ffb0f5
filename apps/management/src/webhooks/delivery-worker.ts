import { setTimeout as sleep } from 'node:timers/promises'
import { OperationError } from '@bearing/contracts/errors'
import type { Logger } from '@bearing/service/logger'
import { warnSeldom } from '@bearing/service/warn-seldom'
import { freeSlots } from './attempt-limits.js'
import { AT_ONCE, type DueDelivery, type DueDeliveries } from './due-deliveries.js'
import type { NoteAttempt } from './record-attempt.js'
import type { SendDelivery } from './send-delivery.js'

/** How long to wait for something to do, and for more of it, unless an attempt ends before, in milliseconds. */
const IDLE_MS = 500
const BUSY_MS = 20
/** What attempts get to finish when the process ends, in milliseconds; after that they are made again elsewhere. */
const LAST_MS = 3_000

/** Delivers to webhooks what is due; as many processes may as there are. */
export class Deliver {
  private readonly stopped = new AbortController()
  private readonly cut = new AbortController()
  private readonly underWay = new Map<Promise<void>, DueDelivery>()
  private running: Promise<void> | undefined
  private readonly failed: (error: unknown) => void
  /** Whether an attempt has ended since it was last looked for what is due: there is room then. */
  private ended = false
  private wake: () => void = () => undefined

  constructor(
    private readonly deliveries: DueDeliveries,
    private readonly sender: SendDelivery,
    private readonly notes: NoteAttempt,
    logger: Logger,
  ) {
    this.failed = warnSeldom(logger, 'webhooks could not be told what is due; trying again')
  }

  /** Begins. */
  start(): void {
    this.running ??= this.run()
  }

  /** Begins no more attempts, and lets those that are under way finish for a moment. */
  async stop(): Promise<void> {
    this.stopped.abort()
    await this.running
    const last = setTimeout(() => this.cut.abort(), LAST_MS)
    await Promise.all(this.underWay.keys())
    clearTimeout(last)
  }

  private async run(): Promise<void> {
    while (!this.stopped.signal.aborted) {
      this.ended = false
      const begun = await this.beginSome()
      await this.pause(begun > 0 ? BUSY_MS : IDLE_MS)
    }
  }

  private async pause(ms: number): Promise<void> {
    if (this.ended) return
    const woken = new AbortController()
    this.wake = () => woken.abort()
    const signal = AbortSignal.any([this.stopped.signal, woken.signal])
    await sleep(ms, undefined, { signal }).catch(() => undefined)
  }

  private async beginSome(): Promise<number> {
    const free = freeSlots(this.underWay.values())
    if (free.working.limit === 0) return 0
    try {
      const due = await this.deliveries.take(free, this.busy())
      for (const one of due) this.begin(one)
      return due.length
    } catch (error) {
      this.failed(error)
      return 0
    }
  }

  private begin(due: DueDelivery): void {
    const attempt = this.attempt(due).finally(() => {
      this.underWay.delete(attempt)
      this.ended = true
      this.wake()
    })
    this.underWay.set(attempt, due)
  }

  /** Never rejects: of what is not written down the lease runs out, and it is tried again. */
  private async attempt(due: DueDelivery): Promise<void> {
    try {
      const delivery = { id: due.deliveryId, body: due.body }
      const attempt = await this.sender.send(due, delivery, this.cut.signal)
      if (!attempt.accepted && this.cut.signal.aborted) await this.deliveries.giveBack(due)
      else await this.notes.note(due, attempt)
    } catch (error) {
      this.failed(error)
      // A key of ours is missing, and that is no fault of the receiver.
      if (error instanceof OperationError) await this.deliveries.giveBack(due).catch(() => undefined)
    }
  }

  private busy(): string[] {
    const counts = new Map<string, number>()
    const busy = new Set<string>()
    for (const { id, failing } of this.underWay.values()) {
      const count = (counts.get(id) ?? 0) + 1
      counts.set(id, count)
      if (count >= (failing ? AT_ONCE.failing : AT_ONCE.working)) busy.add(id)
    }
    return [...busy]
  }
}
