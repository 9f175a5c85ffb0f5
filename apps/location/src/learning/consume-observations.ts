import { REJECTED_HEADERS } from '@bearing/contracts/location/rejected-observation'
import { REJECTED_OBSERVATION_STREAM } from '@bearing/contracts/streams'
import { groupsOf } from '@bearing/nats/groups-of'
import type { MessageStore } from '@bearing/nats/message-store'
import type { QueuedMessage } from '@bearing/nats/work-queue'
import type { Logger } from '@bearing/service/logger'
import { isUnstorable } from '@bearing/service/unavailable'
import type { LearnObservations } from './learn-observations.js'
import { readSubmission, type Submission } from './submitted.js'
import type { Suspects } from './suspects.js'

/** Observations that are learned from in one transaction, as long as one submission has no more. */
const AT_ONCE = 1_000
/** A message that was handed out more often may have ended processes: it is handled alone. */
const MOST_DELIVERIES = 20
/** A message that has ended so many processes is put aside. */
const MOST_ENDED = 5

interface Readable {
  readonly message: QueuedMessage
  readonly submission: Submission
}

/** Learns from what comes out of the queue; what can never be learned from is put aside, so that it holds up nothing. */
export class ConsumeObservations {
  constructor(
    private readonly learn: LearnObservations,
    private readonly store: MessageStore,
    private readonly suspects: Suspects,
    private readonly logger: Logger,
  ) {}

  /**
   * @throws where Postgres or NATS is not there, or not as it should be: all of them come again, and what was learned from
   * by then is known
   */
  async execute(batch: readonly QueuedMessage[]): Promise<void> {
    await this.handle(batch.filter(({ deliveries }) => deliveries <= MOST_DELIVERIES))
    for (const message of batch) if (message.deliveries > MOST_DELIVERIES) await this.handleSuspect(message)
  }

  private async handle(messages: readonly QueuedMessage[]): Promise<void> {
    const readable: Readable[] = []
    for (const message of messages) {
      const submission = await this.read(message)
      if (submission) readable.push({ message, submission })
    }
    for (const group of groupsOf(readable, ({ submission }) => submission.length, AT_ONCE))
      await this.learnFrom(group)
  }

  private async handleSuspect(message: QueuedMessage): Promise<void> {
    const begun = await this.suspects.begin(message)
    try {
      if (begun > MOST_ENDED) await this.reject(message, undefined, 'processes have ended over it')
      else await this.handle([message])
    } finally {
      await this.suspects.end(message)
    }
  }

  private async learnFrom(group: readonly Readable[]): Promise<void> {
    try {
      await this.learn.execute(group.map(({ submission }) => submission))
    } catch (error) {
      const [first] = group
      if (!first || !isUnstorable(error)) throw error
      if (group.length === 1) await this.reject(first.message, error, 'nothing can be learned from it')
      else for (const one of group) await this.learnFrom([one])
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
    const { id, body, sequence, receivedAt } = message
    this.logger.error({ err: error, sequence }, `observations were put aside: ${reason}`)
    const subject = `${REJECTED_OBSERVATION_STREAM.subject}.${message.subject.split('.').slice(-2).join('.')}`
    await this.store.store({
      subject,
      id: `rejected ${id}`,
      body,
      headers: {
        [REJECTED_HEADERS.reason]: reason,
        [REJECTED_HEADERS.receivedAt]: String(receivedAt.getTime()),
      },
    })
  }
}
