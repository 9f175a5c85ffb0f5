import { credentialChanged } from '@bearing/contracts/identity/credential'
import { OutboxRelay } from '@bearing/service/outbox-relay'
import { Injectable } from '@nestjs/common'
import type { Transaction } from '../database.js'
import { OutboxEvents, type RecordedEvent } from './outbox-events.js'

/** What of a credential has changed: see `credentialTags`. */
export type Tag = `credential:${string}` | `user:${string}` | `project:${string}` | `organization:${string}`

/** An event that was recorded. */
export type CredentialChange = RecordedEvent<typeof credentialChanged>

/** Tells the gateways to forget what they know of a credential. */
@Injectable()
export class CredentialChanges {
  private readonly listeners: ((tags: readonly string[]) => void)[] = []

  constructor(
    private readonly events: OutboxEvents,
    private readonly relay: OutboxRelay,
  ) {}

  /** Registers a cache of this process: it drops what carries the tags of a committed change before the gateways are notified. */
  onChange(listener: (tags: readonly string[]) => void): void {
    this.listeners.push(listener)
  }

  /** Writes the event in the transaction that causes it. Hand the result to {@link publish} after the commit. */
  record(transaction: Transaction, ...tags: Tag[]): Promise<CredentialChange> {
    return this.events.record(transaction, credentialChanged, { tags })
  }

  /** Publishes what was committed, before the caller is told: when they hear that a key is gone, it is. */
  publish(...changes: readonly (CredentialChange | undefined)[]): Promise<void> {
    const events = changes.filter((change) => change !== undefined)
    for (const { data } of events) for (const listener of this.listeners) listener(data.tags)
    return this.relay.published(events)
  }
}
