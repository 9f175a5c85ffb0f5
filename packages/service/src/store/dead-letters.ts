import {
  DEAD_LETTER_HEADERS,
  MAX_DEAD_LETTERS,
  MAX_DEAD_LETTER_BYTES,
} from '@bearing/contracts/nats/dead-letters'
import { DAY_MS } from '@bearing/contracts/durations'
import { StoredStream, type StoredMessage } from '@bearing/nats/stored-stream'
import { BackgroundJob } from '../work/background-job.js'
import type { Clock } from '../ground/clock.js'
import type { Logger } from '../observe/logger.js'

/** A stream of messages that a service could not process: operators list them and replay them. */
export class DeadLetters extends StoredStream {
  /**
   * Lists dead letters, the oldest first.
   *
   * @param after the number that the list before ended with; 0 for the first
   * @param ownerOf returns the fields that say whose one is
   * @returns at most {@link MAX_DEAD_LETTERS}, fewer if they are larger than {@link MAX_DEAD_LETTER_BYTES}; and what to ask for next,
   *   null after the last
   */
  async list<Owner extends object>(after: number, ownerOf: (letter: StoredMessage) => Owner) {
    const data = []
    let next = after + 1
    let bytes = 0
    while (data.length < MAX_DEAD_LETTERS && bytes < MAX_DEAD_LETTER_BYTES) {
      const letter = await this.from(next)
      if (!letter) return { data, next: null }
      data.push({
        number: letter.number,
        ...ownerOf(letter),
        received_at: receivedAtOf(letter)?.toISOString() ?? null,
        size: letter.body.length,
        reason: letter.header(DEAD_LETTER_HEADERS.reason) ?? 'unknown',
      })
      bytes += letter.body.length
      next = letter.number + 1
    }
    return { data, next: next - 1 }
  }

  /**
   * Processes dead letters again, each once, and deletes those that were processed. After a crash in between one can be replayed again.
   *
   * @param process returns why one cannot be processed; undefined if it was
   * @throws as `process` does; letters before it stay replayed
   */
  async replay(
    numbers: readonly number[],
    process: (letter: StoredMessage) => Promise<string | undefined>,
  ): Promise<{ replayed: number[]; failed: { number: number; reason: string }[] }> {
    const replayed: number[] = []
    const failed: { number: number; reason: string }[] = []
    for (const number of new Set(numbers)) {
      const letter = await this.from(number)
      const reason = letter?.number === number ? await process(letter) : 'the dead letter does not exist'
      if (reason === undefined) {
        await this.delete(number)
        replayed.push(number)
      } else failed.push({ number, reason })
    }
    return { replayed, failed }
  }

  /**
   * Deletes dead letters of a subject, a pattern of NATS.
   *
   * @param most how many
   * @returns how many it deleted, and how many are left
   */
  async deleteSome(
    subject: string,
    most = Infinity,
  ): Promise<{ readonly erased: number; readonly remaining: number }> {
    let erased = 0
    for await (const letter of this.of(subject)) {
      await this.delete(letter.number)
      erased++
      if (erased >= most) break
    }
    return { erased, remaining: await this.count(subject) }
  }

  /** Yields the dead letters of a subject, a pattern of NATS. */
  async *of(subject: string): AsyncGenerator<StoredMessage> {
    for (let next = 1; ;) {
      const letter = await this.from(next, subject)
      if (!letter) return
      yield letter
      next = letter.number + 1
    }
  }
}

/** Returns when a dead letter was received; undefined if its header is malformed. */
export function receivedAtOf({ header }: Pick<StoredMessage, 'header'>): Date | undefined {
  const time = Number(header(DEAD_LETTER_HEADERS.receivedAt))
  return Number.isSafeInteger(time) && time > 0 ? new Date(time) : undefined
}

/** Returns the retention in days by subject, a pattern of NATS; dead letters of other subjects are kept. */
export type RetentionOf = (subjects: readonly string[]) => Promise<ReadonlyMap<string, number>>

const SWEEP_MS = 600_000

/** Deletes dead letters that are older than the retention of their owner. Several processes may do that concurrently. */
export class SweepDeadLetters extends BackgroundJob {
  /** @param retentionOf for the subjects that there are dead letters of */
  constructor(
    private readonly letters: DeadLetters,
    private readonly retentionOf: RetentionOf,
    private readonly clock: Clock,
    logger: Logger,
  ) {
    super({
      intervalMs: SWEEP_MS,
      run: () => this.sweep(),
      logger,
      failure: 'Expired dead letters could not be deleted. Retrying in ten minutes.',
    })
  }

  /** Deletes all expired dead letters. */
  async sweep(): Promise<void> {
    const subjects = await this.letters.subjects()
    if (subjects.length === 0) return
    for (const [subject, days] of await this.retentionOf(subjects))
      await this.sweepSubject(subject, this.clock.nowMs() - days * DAY_MS)
  }

  /** Dead letters of a subject are almost in the order in which they were received. */
  private async sweepSubject(subject: string, untilMs: number): Promise<void> {
    for await (const letter of this.letters.of(subject)) {
      const receivedAt = receivedAtOf(letter)
      if (this.isStopping || (receivedAt && receivedAt.getTime() >= untilMs)) return
      if (receivedAt) await this.letters.delete(letter.number)
    }
  }
}
