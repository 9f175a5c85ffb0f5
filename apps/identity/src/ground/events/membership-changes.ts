import { membershipChanged } from '@bearing/contracts/identity/member'
import type { OrganizationRole } from '@bearing/contracts/principal'
import { OutboxRelay, type OutboxEvent } from '@bearing/service/outbox-relay'
import { Injectable } from '@nestjs/common'
import type { Transaction } from '../database.js'
import { CredentialChanges, type CredentialChange } from './credential-changes.js'
import { OutboxEvents } from './outbox-events.js'

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
    private readonly events: OutboxEvents,
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
    { organizationId: organization_id, userId: user_id }: Place,
    role: OrganizationRole | null,
  ): Promise<MembershipChange> {
    return {
      credential: await this.credentials.record(transaction, `user:${user_id}`),
      membership: await this.events.record(transaction, membershipChanged, {
        organization_id,
        user_id,
        role,
      }),
    }
  }

  /** Publishes what was committed, the gateways first: when the caller hears that somebody is gone, they are. */
  async publish(change: MembershipChange | undefined): Promise<void> {
    if (!change) return
    await this.credentials.publish(change.credential)
    await this.relay.published([change.membership])
  }
}
