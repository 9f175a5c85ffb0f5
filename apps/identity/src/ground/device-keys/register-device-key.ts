import { OperationError } from '@bearing/contracts/errors'
import { MAX_DEVICE_KEYS } from '@bearing/contracts/identity/devices/device-key'
import { refuseBeyond } from '@bearing/contracts/counts/quota'
import type { DeviceKey } from '../../generated/prisma/client.js'
import type { Transaction } from '../database.js'
import type { ReadKey } from './read-public-key.js'

const QUOTA = {
  ...{ resource: 'device_keys', limit: MAX_DEVICE_KEYS, raised_by: 'nobody' as const },
  has: 'The device has too many keys',
  remedy: 'Revoke one first',
}

/** A device of a project. */
export interface OwnedDevice {
  readonly organizationId: string
  readonly projectId: string
  readonly deviceSerial: string
}

interface Made {
  readonly id: string
  readonly now: Date
  /** The CA whose certificate registers the key, and the end of that certificate (default: none). */
  readonly ca?: { readonly id: string; readonly endsAt: Date }
}

/**
 * Registers a key of a device whose keys are locked.
 *
 * @returns its row, and the keys that the device has besides
 * @throws OperationError `device_key_taken`, `quota_exceeded`
 */
export async function registerDeviceKey(
  transaction: Transaction,
  device: OwnedDevice,
  { publicKey, thumbprint, keyHash }: ReadKey,
  { id, now, ca }: Made,
): Promise<{ readonly row: DeviceKey; readonly others: readonly DeviceKey[] }> {
  const row = {
    ...{ id, ...device, publicKey, thumbprint, keyHash },
    ...{ createdAt: now, expiresAt: ca?.endsAt ?? null, lastUsedAt: null, deviceCaId: ca?.id ?? null },
  }
  await transaction.deviceKey.deleteMany({ where: { ...device, expiresAt: { lte: now } } })
  await transaction.$executeRaw`
    DELETE FROM device_keys
    WHERE key_hash = ${keyHash} AND device_ca_id IS NOT NULL
      AND (expires_at <= ${now}::timestamptz OR NOT EXISTS (SELECT FROM device_cas WHERE id = device_ca_id))`
  const others = await transaction.deviceKey.findMany({ where: device })
  refuseBeyond(QUOTA, others.length)
  // Not by the error of the index, which would end the transaction.
  const { count } = await transaction.deviceKey.createMany({ data: row, skipDuplicates: true })
  if (count === 0) throw taken()
  return { row, others }
}

/** The same for keys of the caller and of others: the caller learns nothing about these. */
function taken(): OperationError {
  return new OperationError(
    'device_key_taken',
    'This public key is already registered. Make a key pair for each device.',
  )
}
