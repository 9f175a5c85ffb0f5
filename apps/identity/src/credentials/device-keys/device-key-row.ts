import { OperationError } from '@bearing/contracts/errors'
import type { DeviceKey } from '@bearing/contracts/identity/devices/device-key'
import type { z } from 'zod'
import type { DeviceKey as Row } from '../../generated/prisma/client.js'
import { devicePublicKey } from '../../ground/rules/device-public-key.js'

/** Returns a key as the contract has it. */
export function toDeviceKey(row: Row): z.output<typeof DeviceKey> {
  const { key, algorithm } = devicePublicKey(row.publicKey)
  return {
    id: row.id,
    device_serial: row.deviceSerial,
    algorithm,
    thumbprint: Buffer.from(row.thumbprint).toString('base64url'),
    public_key: key.export({ type: 'spki', format: 'pem' }).toString(),
    device_ca_id: row.deviceCaId,
    created_at: row.createdAt.toISOString(),
    expires_at: row.expiresAt?.toISOString() ?? null,
    last_used_at: row.lastUsedAt?.toISOString() ?? null,
  }
}

export function deviceKeyNotFound(): OperationError {
  return new OperationError('device_key_not_found', 'The device has no such key.')
}
