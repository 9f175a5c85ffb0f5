import { z } from 'zod'
import { DeviceScope, DeviceSerial } from '../../management/devices/device.js'
import { event, operation } from '../../operation.js'
import {
  Id,
  MAX_GRACE_SECONDS,
  Nothing,
  PageRequest,
  ProjectScope,
  Timestamp,
  orNull,
  pageOf,
} from '../../primitives.js'

/** The most keys of a device: the current one, and the one before within its grace period. */
export const MAX_DEVICE_KEYS = 2
/** Algorithms of the tokens that devices sign (RFC 7518, RFC 8037). */
export const DEVICE_ALGORITHMS = ['ES256', 'ES384', 'EdDSA'] as const
/** The longest PEM text of a key or certificate that is read, in characters. */
export const MAX_PEM = 8_192

export const PublicKey = z
  .union([z.string().max(MAX_PEM), z.looseObject({ kty: z.enum(['EC', 'OKP']) })])
  .describe('P-256, P-384 or Ed25519: PEM of the public key or of a certificate with it, or a JWK.')

/** A public key that a device signs its tokens with. */
export const DeviceKey = z
  .object({
    id: Id.describe('Also a `kid` for the tokens.'),
    device_serial: DeviceSerial,
    algorithm: z.enum(DEVICE_ALGORITHMS).describe('The only `alg` of tokens that this key verifies.'),
    thumbprint: z
      .string()
      .describe('SHA-256 thumbprint of the JWK (RFC 7638) in base64url. Also a `kid` for the tokens.'),
    public_key: z.string().describe('PEM.'),
    device_ca_id: Id.nullable().describe(
      'The CA whose certificate registered it, with the first request of the device. Null: a manager or a claim did.',
    ),
    created_at: Timestamp,
    expires_at: Timestamp.nullable().describe(
      'When its grace period or its certificate ends. From then on it is rejected. Null: never.',
    ),
    last_used_at: Timestamp.nullable().describe('Up to a minute behind. Null: none is known.'),
  })
  .meta({ id: 'DeviceKey' })

export const listDeviceKeys = operation({
  subject: 'identity.v1.device-key.list',
  summary: 'List the keys of a device',
  input: z.object({ ...DeviceScope, ...PageRequest }),
  output: pageOf(DeviceKey),
  errors: ['project_not_found'],
  permission: 'device:read',
})

export const createDeviceKey = operation({
  subject: 'identity.v1.device-key.create',
  summary: 'Register a public key of a device',
  description:
    'The device signs its tokens with the private key, which Bearing never receives. The device need not exist yet. A device has at most two keys: to rotate, register the new key with `grace_seconds`, and the other one expires. A public key is registered once in an installation.',
  input: z.object({
    ...DeviceScope,
    public_key: PublicKey,
    grace_seconds: orNull(z.int().min(0).max(MAX_GRACE_SECONDS)).describe(
      'How long the other key of the device continues to work. 0: it stops immediately. Left out: it does not expire.',
    ),
  }),
  output: DeviceKey,
  errors: ['project_not_found', 'permission_denied', 'device_key_taken', 'quota_exceeded'],
  permission: 'device-key:manage',
})

/** The most keys of one import request. */
export const MAX_IMPORTED_KEYS = 250

export const importDeviceKeys = operation({
  subject: 'identity.v1.device-key.import',
  summary: 'Register public keys of devices, up to 250 in a request',
  description:
    'The result has one outcome for each key, in the order of the request; a key that fails does not affect the others. A repeated request changes nothing.',
  input: z.object({
    ...ProjectScope,
    keys: z
      .array(z.object({ device_serial: DeviceSerial, public_key: PublicKey }))
      .min(1)
      .max(MAX_IMPORTED_KEYS),
  }),
  output: z.object({
    data: z.array(
      z.object({
        device_serial: DeviceSerial,
        outcome: z.enum(['created', 'unchanged', 'failed']).describe('`failed`: see `error`.'),
        error: z.string().optional(),
      }),
    ),
  }),
  errors: ['project_not_found', 'permission_denied'],
  permission: 'device-key:manage',
  timeoutMs: 20_000,
})

export const revokeDeviceKey = operation({
  subject: 'identity.v1.device-key.revoke',
  summary: 'Revoke a key of a device',
  description: 'Every gateway rejects its tokens immediately.',
  input: z.object({ ...DeviceScope, device_key_id: Id }),
  output: Nothing,
  errors: ['project_not_found', 'permission_denied', 'device_key_not_found'],
  permission: 'device-key:manage',
})

/** Revokes all keys of a device that management deletes. */
export const eraseDeviceKeys = operation({
  subject: 'identity.v1.device-key.erase',
  summary: 'Revoke all keys of a device that is deleted',
  input: z.object(DeviceScope),
  output: z.object({ erased: z.int().min(0) }),
  errors: [],
  permission: 'internal',
})

/** The most devices in one question of {@link countProvenDevices}: they fit into a NATS message. */
export const MAX_COUNTED_SERIALS = 4_000

/** Says how many of these devices proved themselves. */
export const countProvenDevices = operation({
  subject: 'identity.v1.device-key.count-proven',
  summary: 'Count the devices that used a key of their own',
  input: z.object({
    organization_id: Id,
    project_id: Id,
    device_serials: z.array(DeviceSerial).min(1).max(MAX_COUNTED_SERIALS),
    used_since: Timestamp,
  }),
  output: z.object({
    proven: z.int().min(0),
    proven_serials: z
      .array(DeviceSerial)
      .optional()
      .describe('Which devices. Missing in an earlier version of identity.'),
  }),
  errors: [],
  permission: 'internal',
})

/** The most keys in one report of uses. */
export const MAX_REPORTED_DEVICE_KEY_USES = 1_000

/** Reports when keys of devices were last used. Gateways call this now and then. */
export const recordDeviceKeyUses = operation({
  subject: 'identity.v1.device-key-use.record',
  summary: 'Report when keys of devices were last used',
  description: 'Keys that do not exist are ignored. Repeating a report changes nothing.',
  input: z.object({
    uses: z
      .array(z.object({ device_key_id: Id, used_at: Timestamp }))
      .min(1)
      .max(MAX_REPORTED_DEVICE_KEY_USES),
  }),
  output: Nothing,
  errors: [],
  permission: 'internal',
})

/** A device got a key by a claim, or a manager revoked one: for the webhooks of management, which is the only reader. */
export const deviceKeyNotice = event({
  // The stream of notices for webhooks has the name of its first one.
  subject: 'identity.v1.organization-token-notice.device-key',
  data: z.object({
    id: Id,
    type: z.enum(['device.claimed', 'device.key_revoked']),
    organization_id: Id,
    project_id: Id,
    device_serial: DeviceSerial,
    device_key_id: Id,
    at: Timestamp,
  }),
})
