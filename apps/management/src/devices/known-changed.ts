import { deviceKnownChanged } from '@bearing/contracts/management/device'
import type { OutboxEvent } from '@bearing/service/outbox-relay'
import type { Transaction } from '../database.js'

/** The event that a device was registered or deleted, by which gateways forget whether it is known. */
export function knownChanged(id: string, projectId: string, serial: string): OutboxEvent {
  return {
    id,
    subject: deviceKnownChanged.subject,
    data: { id, project_id: projectId, device_serial: serial },
  }
}

/** Writes an event in the transaction that causes it. */
export async function writeEvent(transaction: Transaction, event: OutboxEvent, now: Date): Promise<void> {
  const { id, subject, data } = event
  await transaction.outboxEvent.create({ data: { id, subject, data: data as object, createdAt: now } })
}
