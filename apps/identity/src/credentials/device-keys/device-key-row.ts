import { createPublicKey, type KeyObject } from 'node:crypto'
import { OperationError } from '@bearing/contracts/errors'
import type { DeviceKey, DEVICE_ALGORITHMS } from '@bearing/contracts/identity/credentials/device-key'
import type { z } from 'zod'
import type { DeviceKey as Row } from '../../generated/prisma/client.js'

type Algorithm = (typeof DEVICE_ALGORITHMS)[number]

/** Returns the only algorithm that a public key verifies; undefined if devices may not have such a key. */
export function algorithmOf(key: KeyObject): Algorithm | undefined {
  if (key.asymmetricKeyType === 'ed25519') return 'EdDSA'
  if (key.asymmetricKeyType !== 'ec') return undefined
  const curve = key.asymmetricKeyDetails?.namedCurve
  return curve === 'prime256v1' ? 'ES256' : curve === 'secp384r1' ? 'ES384' : undefined
}

/** Reads a stored public key. */
export function keyOf({ publicKey }: Pick<Row, 'publicKey'>): {
  readonly key: KeyObject
  readonly algorithm: Algorithm
} {
  const key = createPublicKey({ key: Buffer.from(publicKey), format: 'der', type: 'spki' })
  const algorithm = algorithmOf(key)
  if (!algorithm) throw new Error('a device key of another kind was stored')
  return { key, algorithm }
}

/** Returns a key as the contract has it. */
export function toDeviceKey(row: Row): z.output<typeof DeviceKey> {
  const { key, algorithm } = keyOf(row)
  return {
    id: row.id,
    device_serial: row.deviceSerial,
    algorithm,
    thumbprint: Buffer.from(row.thumbprint).toString('base64url'),
    public_key: key.export({ type: 'spki', format: 'pem' }).toString(),
    created_at: row.createdAt.toISOString(),
    expires_at: row.expiresAt?.toISOString() ?? null,
    last_used_at: row.lastUsedAt?.toISOString() ?? null,
  }
}

export function deviceKeyNotFound(): OperationError {
  return new OperationError('device_key_not_found', 'The device has no such key.')
}
