import type { WebhookEvent } from '@bearing/contracts/management/webhook'
import { Clock } from '@bearing/service/ground/clock'
import { Randomness } from '@bearing/service/ground/randomness'
import { Injectable } from '@nestjs/common'
import type { Transaction } from '../ground/database.js'

/** Something that happened in a project. */
export interface ProjectEvent {
  /** Identifies duplicates. */
  readonly id: string
  readonly type: WebhookEvent
  readonly projectId: string
  readonly deviceSerial: string | null
  readonly at: Date
  /** The body's data, without the organization and the project. */
  readonly data: object
}

/** Enqueues deliveries to webhooks, in the transaction of the event: neither exists without the other. */
@Injectable()
export class EnqueueDeliveries {
  constructor(
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  /** Enqueues events for every webhook that subscribes to them and is not paused. Duplicates change nothing. */
  async execute(transaction: Transaction, events: readonly ProjectEvent[]): Promise<void> {
    if (events.length === 0) return
    const projects = [...new Set(events.map(({ projectId }) => projectId))]
    // Locked, so that no webhook is deleted before its deliveries are stored: that would roll back the event's cause.
    const webhooks = await transaction.$queryRaw<
      { id: string; organization_id: string; project_id: string; events: string[] }[]
    >`
      SELECT id, organization_id, project_id, events FROM webhooks
      WHERE project_id = ANY (${projects}::uuid[]) AND paused_at IS NULL
      ORDER BY id
      FOR KEY SHARE`
    const now = this.clock.now()
    const deliveries = webhooks.flatMap((webhook) =>
      events
        .filter(({ projectId, type }) => projectId === webhook.project_id && webhook.events.includes(type))
        .map((event) => ({
          id: this.randomness.newId(),
          webhookId: webhook.id,
          projectId: event.projectId,
          eventId: event.id,
          event: event.type,
          deviceSerial: event.deviceSerial,
          body: deliveryBody(event.type, event.at, {
            organization_id: webhook.organization_id,
            project_id: webhook.project_id,
            ...event.data,
          }),
          state: 'pending',
          nextAttemptAt: now,
          createdAt: now,
        })),
    )
    if (deliveries.length > 0)
      await transaction.webhookDelivery.createMany({ data: deliveries, skipDuplicates: true })
  }
}

/** Returns the body of a delivery (Standard Webhooks: type, timestamp, data). */
export function deliveryBody(type: string, at: Date, data: object): string {
  return JSON.stringify({ type, timestamp: at.toISOString(), data })
}
