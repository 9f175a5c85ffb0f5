import { z } from 'zod'
import { DeviceSerial } from '../../management/devices/device.js'
import { operation } from '../../operation.js'
import { Id, Nothing, PageRequest, ProjectScope, Timestamp, orNull, pageOf } from '../../primitives.js'
import { DeviceKey, MAX_PEM, PublicKey } from './device-key.js'

/** Days that a claim waits for a decision. */
export const CLAIM_DAYS = 7
/** The most waiting claims of a project. */
export const MAX_WAITING_CLAIMS = 1_000

/** Returns the audience of the token that proves a claim. The project key binds it to the project. */
export function claimAudience(projectKey: string): string {
  return `claim:${projectKey}`
}

export const claimDevice = operation({
  subject: 'identity.v1.device-claim.create',
  summary: 'Register a public key of the device that sends the request',
  description:
    'For devices, with the project key. `proof` is a token that the device signs with the new key: `sub` is its serial number, `aud` is `claim:` and the project key, `exp` is at most 24 hours ahead. `device_claims` of the project decides about the claim. Repeat the request until `status` is `registered`: a repeated claim of the same key changes nothing.',
  input: z.object({
    ...ProjectScope,
    device_serial: DeviceSerial,
    public_key: PublicKey,
    proof: z.string().max(MAX_PEM),
    onboarding_token: orNull(z.string().max(128)).describe(
      'Needed if `device_claims` is `onboarding-token`.',
    ),
  }),
  output: z
    .object({
      status: z
        .enum(['registered', 'waiting'])
        .describe('`waiting`: a manager has to approve the claim. Send it again later.'),
      device_serial: DeviceSerial,
      thumbprint: z.string().describe('`kid` for the tokens of the device.'),
      expires_at: Timestamp.nullable().describe('When a waiting claim expires. Null: it is registered.'),
    })
    .meta({ id: 'DeviceClaimResult' }),
  errors: [
    ...(['device_claim_refused', 'device_claim_conflict', 'device_key_taken'] as const),
    ...(['project_key_required', 'quota_exceeded', 'rate_limited'] as const),
  ],
  permission: 'device:claim',
  lenient: true,
})

/** A claim that waits for a decision. */
export const DeviceClaim = z
  .object({
    id: Id,
    ...DeviceKey.pick({ device_serial: true, algorithm: true, thumbprint: true, public_key: true }).shape,
    client_address: z.string().nullable().describe('IP address of the claim. Null: not known.'),
    created_at: Timestamp,
    expires_at: Timestamp,
  })
  .meta({ id: 'DeviceClaim' })

const ClaimScope = { ...ProjectScope, device_claim_id: Id }

export const listDeviceClaims = operation({
  subject: 'identity.v1.device-claim.list',
  summary: 'List the claims of devices that wait for approval',
  description: 'The oldest first. At most 1,000 wait in a project, each for 7 days.',
  input: z.object({ ...ProjectScope, ...PageRequest }),
  output: pageOf(DeviceClaim),
  errors: ['project_not_found'],
  permission: 'device:read',
})

export const approveDeviceClaim = operation({
  subject: 'identity.v1.device-claim.approve',
  summary: 'Approve the claim of a device, and register its key',
  input: z.object(ClaimScope),
  output: DeviceKey,
  errors: [
    ...(['project_not_found', 'permission_denied', 'device_claim_not_found'] as const),
    ...(['device_key_taken', 'quota_exceeded'] as const),
  ],
  permission: 'device-key:manage',
})

export const rejectDeviceClaim = operation({
  subject: 'identity.v1.device-claim.reject',
  summary: 'Reject the claim of a device',
  description: 'Further claims of the same key are refused until the claim would have expired.',
  input: z.object(ClaimScope),
  output: Nothing,
  errors: ['project_not_found', 'permission_denied', 'device_claim_not_found'],
  permission: 'device-key:manage',
})
