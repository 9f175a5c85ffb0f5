import { credentialChanged } from '@bearing/contracts/identity/credential'
import { OutboxRelay } from '@bearing/service/outbox-relay'
import { Injectable } from '@nestjs/common'
import { CredentialMemory } from '../../introspection/introspection-cache.js'
import type { Transaction } from '../database.js'
import { OutboxEvents, type RecordedEvent } from './outbox-events.js'

/** What of a credential has changed: see `credentialTags`. */
export type Tag = `credential:${string}` | `user:${string}` | `project:${string}` | `organization:${string}`

/** An event that was recorded. */
export type CredentialChange = RecordedEvent<typeof credentialChanged>

/** Tells the gateways to forget what they know of a credential. */
@Injectable()
export class CredentialChanges {
  constructor(
    private readonly events: OutboxEvents,
    private readonly relay: OutboxRelay,
    private readonly memory: CredentialMemory,
  ) {}

  /** Writes the event in the transaction that causes it. Hand the result to {@link publish} after the commit. */
  record(transaction: Transaction, ...tags: Tag[]): Promise<CredentialChange> {
    return this.events.record(transaction, credentialChanged, { tags })
  }

  /** Publishes what was committed, before the caller is told: when they hear that a key is gone, it is. */
  publish(...changes: readonly (CredentialChange | undefined)[]): Promise<void> {
    const events = changes.filter((change) => change !== undefined)
    for (const { data } of events) this.memory.forget(data.tags)
    return this.relay.published(events)
  }
}
