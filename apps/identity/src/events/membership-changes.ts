import { membershipChanged } from '@bearing/contracts/identity/member'
import type { EventData } from '@bearing/contracts/operation'
import type { OrganizationRole } from '@bearing/contracts/principal'
import { Clock } from '@bearing/service/clock'
import { OutboxRelay, type OutboxEvent } from '@bearing/service/outbox-relay'
import { Randomness } from '@bearing/service/randomness'
import { Injectable } from '@nestjs/common'
import type { Transaction } from '../database.js'
import { CredentialChanges, type CredentialChange } from './credential-changes.js'

/** A user in an organization. */
export interface Place {
  readonly organizationId: string
  readonly userId: string
}

/** The events that were recorded of one change. */
export interface MembershipChange {
  readonly credential: CredentialChange
  readonly membership: OutboxEvent
}

/** Tells that a user's place in an organization has changed, and the gateways to forget what they know of the user. */
@Injectable()
export class MembershipChanges {
  constructor(
    private readonly clock: Clock,
    private readonly randomness: Randomness,
    private readonly relay: OutboxRelay,
    private readonly credentials: CredentialChanges,
  ) {}

  /**
   * Writes the events in the transaction that causes them. Hand the result to {@link publish} after the commit.
   *
   * @param role from now on; null where the user is no member any more
   */
  async record(
    transaction: Transaction,
    { organizationId, userId }: Place,
    role: OrganizationRole | null,
  ): Promise<MembershipChange> {
    const credential = await this.credentials.record(transaction, `user:${userId}`)
    const id = this.randomness.newId()
    const { subject } = membershipChanged
    const data: EventData<typeof membershipChanged> = {
      id,
      organization_id: organizationId,
      user_id: userId,
      role,
    }
    await transaction.outboxEvent.create({ data: { id, subject, data, createdAt: this.clock.now() } })
    return { credential, membership: { id, subject, data } }
  }

  /** Publishes what was committed, the gateways first: when the caller hears that somebody is gone, they are. */
  async publish(change: MembershipChange | undefined): Promise<void> {
    if (!change) return
    await this.credentials.publish(change.credential)
    await this.relay.published([change.membership])
  }
}
