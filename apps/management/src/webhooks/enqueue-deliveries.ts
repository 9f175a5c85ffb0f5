import type { WebhookEvent } from '@bearing/contracts/management/webhook'
import { Clock } from '@bearing/service/clock'
import { Randomness } from '@bearing/service/randomness'
import { Injectable } from '@nestjs/common'
import type { Transaction } from '../ground/database.js'

/** Something that has happened in a project. */
export interface ProjectEvent {
  /** By which one that comes twice is known. */
  readonly id: string
  readonly type: WebhookEvent
  readonly projectId: string
  readonly deviceSerial: string | null
  readonly at: Date
  /** What is told of it, beside the organization and the project. */
  readonly data: object
}

/** Notes what webhooks have to be told, in the transaction in which it happens: neither is there without the other. */
@Injectable()
export class RecordEvents {
  constructor(
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  /** Notes events for every webhook that wants them and is not paused. One that was noted before changes nothing. */
  async record(transaction: Transaction, events: readonly ProjectEvent[]): Promise<void> {
    if (events.length === 0) return
    const projects = [...new Set(events.map(({ projectId }) => projectId))]
    // Held, so that none is deleted before its deliveries are there: that would undo what they tell of.
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
          body: bodyOf(event.type, event.at, {
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

/** What is sent (Standard Webhooks: type, timestamp, data). */
export function bodyOf(type: string, at: Date, data: object): string {
  return JSON.stringify({ type, timestamp: at.toISOString(), data })
}
