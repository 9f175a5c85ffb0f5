import { REJECTED_HEADERS } from '@bearing/contracts/location/rejected-observation'
import { REJECTED_OBSERVATION_STREAM } from '@bearing/contracts/streams'
import { groupsOf } from '@bearing/nats/groups-of'
import type { MessageStore } from '@bearing/nats/message-store'
import type { Postpone, QueuedMessage } from '@bearing/nats/work-queue'
import type { Logger } from '@bearing/service/logger'
import type { LearnObservations } from './learn-observations.js'
import { readSubmission, type Submission } from './submission.js'
import type { Suspects } from './crash-counts.js'
import { whyUnlearnable } from './permanent-failure.js'

/** Observations that are learned from in one transaction, as long as one submission has no more. */
const AT_ONCE = 1_000
/** A message that was handed out more often may have ended processes: it is handled alone. */
const MOST_DELIVERIES = 20
/** A message that has ended so many processes is put aside. */
const MOST_ENDED = 5
/**
 * After what time a message comes again whose layer is being learned anew, in milliseconds, each time that it was handed out. Then
 * it goes to the end of the queue: one that stays first for a minute looks as if the queue had lost count (decision 50), and
 * no more than some are under way at once, of all organizations.
 */
const POSTPONED_MS = [2_000, 4_000, 8_000, 16_000]

interface Readable {
  readonly message: QueuedMessage
  readonly submission: Submission
}

/**
 * Learns from what comes out of the queue; what can never be learned from is put aside, and what cannot yet comes again, so that it
 * holds up nothing.
 */
export class ConsumeObservations {
  constructor(
    private readonly learn: LearnObservations,
    private readonly store: MessageStore,
    private readonly suspects: Suspects,
    private readonly logger: Logger,
  ) {}

  /**
   * @param postpone what is to come again after a while
   * @throws where Postgres or NATS is not there, or not as it should be: all of them come again, and what was learned from
   * by then is known
   */
  async execute(batch: readonly QueuedMessage[], postpone: Postpone): Promise<void> {
    const usual = batch.filter(({ deliveries }) => deliveries <= MOST_DELIVERIES)
    await this.handle(usual, postpone)
    for (const message of batch)
      if (message.deliveries > MOST_DELIVERIES) await this.handleSuspect(message, postpone)
  }

  private async handle(messages: readonly QueuedMessage[], postpone: Postpone): Promise<void> {
    const readable: Readable[] = []
    for (const message of messages) {
      const submission = await this.read(message)
      if (submission) readable.push({ message, submission })
    }
    for (const group of groupsOf(readable, ({ submission }) => submission.length, AT_ONCE))
      await this.learnFrom(group, postpone)
  }

  private async handleSuspect(message: QueuedMessage, postpone: Postpone): Promise<void> {
    const begun = await this.suspects.begin(message)
    try {
      if (begun > MOST_ENDED) await this.reject(message, undefined, 'processes have ended over it')
      else await this.handle([message], postpone)
    } finally {
      await this.suspects.end(message)
    }
  }

  private async learnFrom(group: readonly Readable[], postpone: Postpone): Promise<void> {
    try {
      const postponed = new Set(await this.learn.execute(group.map(({ submission }) => submission)))
      for (const { message, submission } of group)
        if (postponed.has(submission)) await this.putOff(message, postpone)
    } catch (error) {
      const [first] = group
      const reason = whyUnlearnable(error)
      if (!first || reason === undefined) throw error
      if (group.length === 1) await this.reject(first.message, error, reason)
      else for (const one of group) await this.learnFrom([one], postpone)
    }
  }

  private async putOff(message: QueuedMessage, postpone: Postpone): Promise<void> {
    const { subject, body, sequence, streamStartedAt, deliveries } = message
    const afterMs = POSTPONED_MS[deliveries - 1]
    if (afterMs !== undefined) {
      postpone(message, afterMs)
      return
    }
    try {
      const id = `again ${streamStartedAt.toISOString()} ${String(sequence)}`
      const headers = { [REJECTED_HEADERS.receivedAt]: receivedAtOf(message) }
      await this.store.store({ subject, id, body, headers })
    } catch {
      // It stays where it is. Stored all the same, it comes twice and counts once.
      postpone(message, Math.max(...POSTPONED_MS))
    }
  }

  private async read(message: QueuedMessage): Promise<Submission | undefined> {
    try {
      return readSubmission(message.body)
    } catch (error) {
      await this.reject(message, error, 'it cannot be read')
      return undefined
    }
  }

  private async reject(message: QueuedMessage, error: unknown, reason: string): Promise<void> {
    const { id, body, sequence } = message
    this.logger.error({ err: error, sequence }, `observations were put aside: ${reason}`)
    const subject = `${REJECTED_OBSERVATION_STREAM.subject}.${message.subject.split('.').slice(-2).join('.')}`
    await this.store.store({
      subject,
      id: `rejected ${id}`,
      body,
      headers: {
        [REJECTED_HEADERS.reason]: reason,
        [REJECTED_HEADERS.receivedAt]: receivedAtOf(message),
      },
    })
  }
}

/** When it came, in milliseconds since 1970, though it went to the end of the queue since. */
function receivedAtOf({ header, receivedAt }: QueuedMessage): string {
  return header(REJECTED_HEADERS.receivedAt) ?? String(receivedAt.getTime())
}
