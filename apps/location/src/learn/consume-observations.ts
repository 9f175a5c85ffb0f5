import { DEAD_LETTER_HEADERS } from '@bearing/contracts/nats/dead-letters'
import { OBSERVATION_DEAD_LETTER_STREAM } from '@bearing/contracts/nats/streams'
import { groupsOf } from '@bearing/nats/groups-of'
import { MessageStore } from '@bearing/nats/message-store'
import type { Postpone, QueuedMessage } from '@bearing/nats/work-queue'
import type { Logger } from '@bearing/service/observe/logger'
import { LOGGER } from '@bearing/service/run/runtime-module'
import { Inject, Injectable } from '@nestjs/common'
import { LearnObservations } from './learn-observations.js'
import { readSubmission, type Submission } from './submission.js'
import { CrashCounts } from './crash-counts.js'
import { permanentFailure } from './permanent-failure.js'

/** Observations that are learned from in one transaction, as long as one submission has no more. */
const BATCH = 1_000
/** A message that was delivered more often may have crashed processes. It is handled alone. */
const MOST_DELIVERIES = 20
/** A message that crashed more processes becomes a dead letter. */
const MOST_CRASHES = 5
/**
 * Delays of a message whose layer is being rebuilt, in milliseconds, by delivery. Then it moves to the end of the queue: the number
 * of messages under way is limited, and one that stays first for a minute looks like a stuck consumer (decision 50).
 */
const POSTPONED_MS = [2_000, 4_000, 8_000, 16_000]

interface Readable {
  readonly message: QueuedMessage
  readonly submission: Submission
}

/** Learns from queued observations. Those that can never be learned become dead letters, so that they delay no others. */
@Injectable()
export class ConsumeObservations {
  constructor(
    private readonly learn: LearnObservations,
    private readonly store: MessageStore,
    private readonly crashes: CrashCounts,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * @throws if Postgres or NATS fails. Then all messages are redelivered; observations that were learned count once
   */
  async execute(batch: readonly QueuedMessage[], postpone: Postpone): Promise<void> {
    const usual = batch.filter(({ deliveries }) => deliveries <= MOST_DELIVERIES)
    await this.handle(usual, postpone)
    for (const message of batch)
      if (message.deliveries > MOST_DELIVERIES) await this.handleAlone(message, postpone)
  }

  private async handle(messages: readonly QueuedMessage[], postpone: Postpone): Promise<void> {
    const readable: Readable[] = []
    for (const message of messages) {
      const submission = await this.read(message)
      if (submission) readable.push({ message, submission })
    }
    for (const group of groupsOf(readable, ({ submission }) => submission.length, BATCH))
      await this.learnFrom(group, postpone)
  }

  private async handleAlone(message: QueuedMessage, postpone: Postpone): Promise<void> {
    const crashes = await this.crashes.start(message)
    try {
      if (crashes > MOST_CRASHES) await this.reject(message, undefined, 'processes have ended over it')
      else await this.handle([message], postpone)
    } finally {
      await this.crashes.end(message)
    }
  }

  private async learnFrom(group: readonly Readable[], postpone: Postpone): Promise<void> {
    try {
      const postponed = new Set(await this.learn.execute(group.map(({ submission }) => submission)))
      for (const { message, submission } of group)
        if (postponed.has(submission)) await this.postponeOrMove(message, postpone)
    } catch (error) {
      const [first] = group
      const reason = permanentFailure(error)
      if (!first || reason === undefined) throw error
      if (group.length === 1) await this.reject(first.message, error, reason)
      else for (const one of group) await this.learnFrom([one], postpone)
    }
  }

  private async postponeOrMove(message: QueuedMessage, postpone: Postpone): Promise<void> {
    const { subject, body, sequence, streamStartedAt, deliveries } = message
    const afterMs = POSTPONED_MS[deliveries - 1]
    if (afterMs !== undefined) {
      postpone(message, afterMs)
      return
    }
    try {
      const id = `again ${streamStartedAt.toISOString()} ${String(sequence)}`
      const headers = { [DEAD_LETTER_HEADERS.receivedAt]: receivedAtOf(message) }
      await this.store.store({ subject, id, body, headers })
    } catch {
      // If it was stored nevertheless, it comes twice and counts once.
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
    this.logger.error({ err: error, sequence }, `observations became a dead letter: ${reason}`)
    const subject = `${OBSERVATION_DEAD_LETTER_STREAM.subject}.${message.subject.split('.').slice(-2).join('.')}`
    await this.store.store({
      subject,
      id: `rejected ${id}`,
      body,
      headers: {
        [DEAD_LETTER_HEADERS.reason]: reason,
        [DEAD_LETTER_HEADERS.receivedAt]: receivedAtOf(message),
      },
    })
  }
}

/** Returns when it was first received, in milliseconds since 1970. */
function receivedAtOf({ header, receivedAt }: QueuedMessage): string {
  return header(DEAD_LETTER_HEADERS.receivedAt) ?? String(receivedAt.getTime())
}
