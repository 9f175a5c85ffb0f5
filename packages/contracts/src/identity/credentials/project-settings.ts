import { z } from 'zod'
import { operation } from '../../operation.js'
import { ProjectScope } from '../../primitives.js'

export const DEVICE_IDENTITIES = ['off', 'optional', 'required'] as const
/** Policy for devices of a project to prove their identity with keys of their own. */
export const DeviceIdentity = z.enum(DEVICE_IDENTITIES).meta({ id: 'DeviceIdentity' })
export type DeviceIdentity = z.infer<typeof DeviceIdentity>

export const DEVICE_CLAIM_POLICIES = ['off', 'open', 'approval', 'onboarding-token'] as const
/** Policy for devices to register keys of their own with the project key. */
export const DeviceClaims = z.enum(DEVICE_CLAIM_POLICIES).meta({ id: 'DeviceClaims' })
export type DeviceClaims = z.infer<typeof DeviceClaims>

/** Decisions of a project about its credentials. */
export const ProjectSettings = z
  .object({
    project_key_may_locate: z
      .boolean()
      .describe(
        "Whether the project's key may ask for locations. It is not a secret, so it may not unless this is said.",
      ),
    project_key_may_contribute: z
      .boolean()
      .default(false)
      .describe(
        "Whether the project's key may contribute observations, which the organization's access points and cells are learned from. Anybody who extracts the key from a device can then send made-up ones; of one client network each access point is learned once a day.",
      ),
    device_identity: DeviceIdentity.default('off').describe(
      '`off`: tokens that devices sign are refused. `optional`: devices send a token of their own or the project key. `required`: the project key alone is refused.',
    ),
    device_tokens_without_expiry: z
      .boolean()
      .default(false)
      .describe(
        'Whether tokens of devices may have no `exp`, for devices without a clock. Such a token works until its key is revoked.',
      ),
    device_claims: DeviceClaims.default('off').describe(
      'Whether devices register keys of their own with the project key (default: `off`). `open`: the first key of a serial number is accepted. `approval`: a manager approves each. `onboarding-token`: the device also sends an onboarding token.',
    ),
  })
  .meta({ id: 'ProjectSettings' })

export const showProjectSettings = operation({
  subject: 'identity.v1.project-settings.show',
  summary: "Show a project's settings",
  input: z.object(ProjectScope),
  output: ProjectSettings,
  errors: ['project_not_found'],
  permission: 'project-settings:read',
})

export const changeProjectSettings = operation({
  subject: 'identity.v1.project-settings.change',
  summary: "Change a project's settings",
  description: 'Every gateway goes by them within a second.',
  input: z.object({
    ...ProjectScope,
    ...ProjectSettings.shape,
    project_key_may_contribute: z.boolean().optional().describe('As it is shown. Left out: unchanged.'),
    device_identity: DeviceIdentity.optional().describe('As it is shown. Left out: unchanged.'),
    device_tokens_without_expiry: z.boolean().optional().describe('As it is shown. Left out: unchanged.'),
    device_claims: DeviceClaims.optional().describe('As it is shown. Left out: unchanged.'),
  }),
  output: ProjectSettings,
  errors: ['project_not_found', 'permission_denied'],
  permission: 'project-settings:change',
})
