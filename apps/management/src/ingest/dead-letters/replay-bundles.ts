import { DEAD_LETTER_SUBJECT } from '@bearing/contracts/management/dead-letter'
import { BUNDLE } from '@bearing/nats/bundle'
import type { StoredMessage } from '@bearing/nats/stored-stream'
import { BackgroundJob } from '@bearing/service/background-job'
import type { Logger } from '@bearing/service/logger'
import { LOGGER } from '@bearing/service/runtime-module'
import { isUnstorable } from '@bearing/service/unavailable'
import { Inject, Injectable } from '@nestjs/common'
import { UnreadableMessage } from '../chunks/decode-message.js'
import { StoreMessages } from '../chunks/store-messages.js'
import { DeadLetterStream, decodeDeadLetter } from './dead-letter-stream.js'

const INTERVAL_MS = 30_000
const BUNDLES = [DEAD_LETTER_SUBJECT, '*', '*', BUNDLE].join('.')

/**
 * Stores the bundles that processes of a version before bundles made dead letters, so that nothing waits for an operator while versions
 * mix. Any number of processes may run it. What cannot be stored stays a dead letter.
 */
@Injectable()
export class ReplayBundles extends BackgroundJob {
  constructor(
    private readonly letters: DeadLetterStream,
    private readonly store: StoreMessages,
    @Inject(LOGGER) logger: Logger,
  ) {
    super({
      intervalMs: INTERVAL_MS,
      run: () => this.replay(),
      logger,
      failure: 'chunks that an older version could not read cannot be stored; retrying',
    })
  }

  /** Stores each bundle, then deletes it: after a crash in between it is stored again, which changes nothing. */
  async replay(): Promise<void> {
    for (let next = 1; !this.isStopping;) {
      const letter = await this.letters.from(next, BUNDLES)
      if (!letter) return
      if (await this.isStored(letter)) await this.delete(letter.number)
      next = letter.number + 1
    }
  }

  private async isStored(letter: StoredMessage): Promise<boolean> {
    try {
      return (await this.store.execute(decodeDeadLetter(letter))).length === 0
    } catch (error) {
      if (error instanceof UnreadableMessage || isUnstorable(error)) return false
      throw error
    }
  }

  /** Another process may have been first. */
  private async delete(number: number): Promise<void> {
    try {
      await this.letters.delete(number)
    } catch (error) {
      const left = await this.letters.from(number, BUNDLES)
      if (left?.number === number) throw error
    }
  }
}
