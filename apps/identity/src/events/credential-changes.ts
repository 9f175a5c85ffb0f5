import { credentialChanged } from '@bearing/contracts/identity/credential'
import type { EventData } from '@bearing/contracts/operation'
import { OutboxRelay, type OutboxEvent } from '@bearing/service/outbox-relay'
import { Injectable } from '@nestjs/common'
import { Clock } from '@bearing/service/clock'
import { CredentialMemory } from '../credentials/credential-memory.js'
import type { Transaction } from '../database.js'
import { Randomness } from '@bearing/service/randomness'

/** What of a credential has changed: see `credentialTags`. */
export type Tag = `credential:${string}` | `user:${string}` | `project:${string}`

/** An event that was recorded. */
export interface CredentialChange extends OutboxEvent {
  readonly data: EventData<typeof credentialChanged>
}

/** Tells the gateways to forget what they know of a credential. */
@Injectable()
export class CredentialChanges {
  constructor(
    private readonly clock: Clock,
    private readonly randomness: Randomness,
    private readonly relay: OutboxRelay,
    private readonly memory: CredentialMemory,
  ) {}

  /** Writes the event in the transaction that causes it. Hand the result to {@link publish} after the commit. */
  async record(transaction: Transaction, tag: Tag): Promise<CredentialChange> {
    const id = this.randomness.newId()
    const data: EventData<typeof credentialChanged> = { id, tags: [tag] }
    await transaction.outboxEvent.create({
      data: { id, subject: credentialChanged.subject, data, createdAt: this.clock.now() },
    })
    return { id, subject: credentialChanged.subject, data }
  }

  /** Publishes what was committed, before the caller is told: when they hear that a key is gone, it is. */
  publish(...changes: readonly (CredentialChange | undefined)[]): Promise<void> {
    const events = changes.filter((change) => change !== undefined)
    for (const { data } of events) this.memory.forget(data.tags)
    return this.relay.published(events)
  }
}
