import { OperationError } from '@bearing/contracts/errors'
import type { WorkStream } from '@bearing/contracts/nats/streams'
import { z } from 'zod'
import type { Connection } from '../connection.js'
import type { MessageStore, StoredMessage } from './message-store.js'

/** Interval at which NATS is asked for the size of the queue while messages are stored, in milliseconds. */
const LOOK_MS = 2_000
/** The same after NATS has not answered. */
const RETRY_MS = 60_000
const TIMEOUT_MS = 2_000
/** Size of a message besides its body: subject, headers and JetStream's own record, in bytes. */
const OVERHEAD_BYTES = 512
/** Groups of waiting messages that are kept per owner. If a message is stuck at the head of the queue, older groups are merged. */
const MAX_GROUPS = 64

const StreamInfo = z.object({
  config: z.object({ max_bytes: z.int() }),
  state: z.object({ bytes: z.int().min(0), first_seq: z.int().min(0) }),
})

/** Messages of one owner that wait in the queue, as far as this process stored them. */
interface Waiting {
  bytes: number
  /** Oldest first. A group has left the queue once its highest sequence has. */
  readonly groups: { readonly look: number; sequence: number; bytes: number }[]
}

/**
 * Stores messages in a work queue, and bounds the share of each owner: what waits of one owner may take as many bytes as are free,
 * and no more. One owner can fill half of the queue through one process, and n/(n+1) of it through n processes; the rest stays free
 * for others, and with every owner that floods the queue the shares become smaller (dynamic thresholds, Choudhury and Hahne 1998).
 * Between two looks at the queue other processes may store as many bytes as they can in {@link LOOK_MS}, which the bound leaves
 * out. If NATS does not answer, only the limit of the stream holds.
 */
export class QueueShares {
  private readonly owners = new Map<string, Waiting>()
  /** Free bytes of the queue; Infinity while unknown. */
  private free = Infinity
  private looks = 0
  private nextLookMs = 0

  constructor(
    private readonly connection: Connection,
    private readonly store: MessageStore,
    private readonly stream: WorkStream,
    private readonly nowMs: () => number = () => performance.now(),
  ) {}

  /**
   * Stores a message of an owner.
   *
   * @throws OperationError `overloaded` if the owner's share is full; and what {@link MessageStore.store} throws
   */
  async add(owner: string, message: StoredMessage): Promise<void> {
    if (this.nowMs() >= this.nextLookMs) void this.look()
    const bytes = message.body.length + OVERHEAD_BYTES
    const waiting = this.owners.get(owner) ?? { bytes: 0, groups: [] }
    if (waiting.bytes + bytes > this.free) throw shareFull(waiting.bytes)
    this.owners.set(owner, waiting)
    waiting.bytes += bytes
    this.free -= bytes
    try {
      this.note(waiting, await this.store.store(message), bytes)
    } catch (error) {
      waiting.bytes -= bytes
      throw error
    }
  }

  private note({ groups }: Waiting, sequence: number, bytes: number): void {
    const last = groups.at(-1)
    if (last && (last.look === this.looks || groups.length === MAX_GROUPS)) {
      last.bytes += bytes
      last.sequence = Math.max(last.sequence, sequence)
    } else groups.push({ look: this.looks, sequence, bytes })
  }

  /** Asks how full the queue is, and drops what has left it. */
  private async look(): Promise<void> {
    this.nextLookMs = Infinity
    try {
      const subject = `$JS.API.STREAM.INFO.${this.stream.name}`
      const reply = await this.connection.raw.request(subject, undefined, { timeout: TIMEOUT_MS })
      const { config, state } = StreamInfo.parse(reply.json())
      this.looks++
      this.free = config.max_bytes > 0 ? config.max_bytes - state.bytes : Infinity
      for (const [owner, waiting] of this.owners)
        if (leave(waiting, state.first_seq)) this.owners.delete(owner)
      this.nextLookMs = this.nowMs() + LOOK_MS
    } catch {
      this.free = Infinity
      this.nextLookMs = this.nowMs() + RETRY_MS
    }
  }
}

/**
 * Drops the messages before a sequence.
 *
 * @returns whether nothing is left
 */
function leave(waiting: Waiting, firstSequence: number): boolean {
  while (waiting.groups[0] && waiting.groups[0].sequence < firstSequence)
    waiting.bytes -= waiting.groups.shift()?.bytes ?? 0
  return waiting.bytes === 0 && waiting.groups.length === 0
}

function shareFull(bytes: number): OperationError {
  return new OperationError(
    'overloaded',
    `${String(bytes)} bytes of the organization wait to be processed, which is its share of the queue. Send it again later.`,
    { retry_after: 30 },
  )
}
