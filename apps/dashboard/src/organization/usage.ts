import type { CallOutput } from '@bearing/client/call-types'

export type Usage = CallOutput<'showOrganizationUsage'>
