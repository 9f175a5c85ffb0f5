import { deviceKnownChanged } from '@bearing/contracts/management/device'
import type { OutboxEvent } from '@bearing/service/outbox-relay'

/** The event that a device was registered or deleted, by which gateways forget whether it is known. */
export function knownChanged(id: string, projectId: string, serial: string): OutboxEvent {
  return {
    id,
    subject: deviceKnownChanged.subject,
    data: { id, project_id: projectId, device_serial: serial },
  }
}
