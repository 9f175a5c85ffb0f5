import { deviceKeyNotice } from '@bearing/contracts/identity/devices/device-key'
import type { EventData } from '@bearing/contracts/operation'
import { recordEvent } from '@bearing/service/store/transactions'
import type { Transaction } from '../database.js'
import type { OwnedDevice } from './register-device-key.js'

/** Notifies the webhooks of a project that a device claimed a key, or that one was revoked. */
export function notifyKeyChange(
  transaction: Transaction,
  type: EventData<typeof deviceKeyNotice>['type'],
  { organizationId: organization_id, projectId: project_id, deviceSerial: device_serial }: OwnedDevice,
  { id: device_key_id, at }: { readonly id: string; readonly at: Date },
): void {
  const owned = { organization_id, project_id, device_serial }
  recordEvent(transaction, deviceKeyNotice, { type, ...owned, device_key_id, at: at.toISOString() })
}
