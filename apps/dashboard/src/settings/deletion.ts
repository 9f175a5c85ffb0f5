import type { CallOutput } from '@bearing/client/call-types'

export type Deletion = CallOutput<'showOrganizationDeletion'>
