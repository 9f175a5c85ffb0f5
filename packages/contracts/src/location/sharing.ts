import { z } from 'zod'
import { operation } from '../operation.js'
import { Id, Timestamp } from '../primitives.js'

/** The most organizations that are listed. */
export const MAX_SHARING = 10_000

/** An organization that wants to contribute to the shared layer, or that the operator approved for it. */
export const SharingOrganization = z
  .object({
    organization_id: Id,
    share_observations: z
      .boolean()
      .describe('Whether the organization wants to contribute (`share_observations`).'),
    approved_at: Timestamp.nullable().describe('When the operator approved it. Null: it is not approved.'),
  })
  .meta({ id: 'SharingOrganization' })

export const approveSharing = operation({
  subject: 'location.v1.sharing.approve',
  summary: 'Approve an organization as a contributor to the shared layer',
  input: z.object({ organization_id: Id }),
  output: SharingOrganization,
  errors: [],
  permission: 'sharing:approve',
})

export const revokeSharing = operation({
  subject: 'location.v1.sharing.revoke',
  summary: 'Revoke the approval of a contributor to the shared layer',
  description:
    'Its later observations stay in its own layer. What it contributed before no longer counts as independent evidence, and is removed when the operator rebuilds the shared layer.',
  input: z.object({ organization_id: Id }),
  output: SharingOrganization,
  errors: [],
  permission: 'sharing:approve',
})

export const listSharing = operation({
  subject: 'location.v1.sharing.list',
  summary: 'List organizations that contribute to the shared layer, or want to',
  input: z.object({}),
  output: z.object({ data: z.array(SharingOrganization).max(MAX_SHARING) }),
  errors: [],
  permission: 'sharing:approve',
})
