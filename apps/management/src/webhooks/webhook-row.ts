import { OperationError } from '@bearing/contracts/errors'
import type { Webhook, WebhookDelivery } from '@bearing/contracts/management/webhook'
import type { Principal } from '@bearing/contracts/principal'
import type { z } from 'zod'
import type { Database, Transaction } from '../ground/database.js'
import { requireAuditPermission } from './require-data-permission.js'

/** Columns that operations return. */
export const SHOWN = {
  id: true,
  kind: true,
  url: true,
  description: true,
  events: true,
  failingSince: true,
  pausedAt: true,
  pausedReason: true,
  previousUntil: true,
  createdAt: true,
} as const

interface Row {
  readonly id: string
  readonly kind: string
  readonly url: string
  readonly description: string | null
  readonly events: string[]
  readonly failingSince: Date | null
  readonly pausedAt: Date | null
  readonly pausedReason: string | null
  readonly previousUntil: Date | null
  readonly createdAt: Date
}

/** Converts a row for replies. */
export function toWebhook(row: Row, now: Date): z.output<typeof Webhook> {
  const { previousUntil } = row
  return {
    id: row.id,
    kind: row.kind as z.output<typeof Webhook>['kind'], // no other value is written
    url: row.url,
    description: row.description,
    events: row.events,
    state: row.pausedReason !== null ? 'paused' : row.failingSince ? 'failing' : 'active',
    paused_reason: row.pausedReason as z.output<typeof Webhook>['paused_reason'], // no other value is written
    paused_at: row.pausedReason === null ? null : (row.pausedAt?.toISOString() ?? null),
    failing_since: row.failingSince?.toISOString() ?? null,
    previous_secret_until: previousUntil && previousUntil > now ? previousUntil.toISOString() : null,
    created_at: row.createdAt.toISOString(),
  }
}

interface DeliveryRow {
  readonly id: string
  readonly event: string
  readonly deviceSerial: string | null
  readonly state: string
  readonly attempts: number
  readonly status: number | null
  readonly error: string | null
  readonly durationMs: number | null
  readonly createdAt: Date
  readonly lastAttemptAt: Date | null
  readonly nextAttemptAt: Date | null
}

/** Converts a row for replies. */
export function toDelivery(row: DeliveryRow): z.output<typeof WebhookDelivery> {
  return {
    id: row.id,
    event: row.event,
    device_serial: row.deviceSerial,
    state: row.state as z.output<typeof WebhookDelivery>['state'], // no other value is written
    attempts: row.attempts,
    status: row.status,
    error: row.error as z.output<typeof WebhookDelivery>['error'], // no other value is written
    duration_ms: row.durationMs,
    created_at: row.createdAt.toISOString(),
    last_attempt_at: row.lastAttemptAt?.toISOString() ?? null,
    next_attempt_at: row.nextAttemptAt?.toISOString() ?? null,
  }
}

/** A webhook of a project. The permission was checked for this organization. */
export interface WebhookScope {
  readonly organization_id: string
  readonly project_id: string
  readonly webhook_id: string
}

/** Returns the condition that finds a webhook only in this organization and project. */
export function rowOf({ organization_id, project_id, webhook_id }: WebhookScope) {
  return { id: webhook_id, organizationId: organization_id, projectId: project_id }
}

/** @param by who changes it @throws OperationError `webhook_not_found`, or `permission_denied` if it receives the audit log and the caller may not read that */
export async function requireWebhook(
  database: Database | Transaction,
  scope: WebhookScope,
  by?: Principal,
): Promise<void> {
  const webhook = await database.webhook.findUnique({ where: rowOf(scope), select: { events: true } })
  if (!webhook) throw webhookNotFound()
  if (by) requireAuditPermission(by, webhook.events, scope)
}

export function webhookNotFound(): OperationError {
  return new OperationError(
    'webhook_not_found',
    'The project has no such webhook. List its webhooks to find the id.',
  )
}
