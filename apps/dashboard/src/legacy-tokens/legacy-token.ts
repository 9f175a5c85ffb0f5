import type { CallOutput } from '@bearing/client/call-types'

export type LegacyToken = CallOutput<'listLegacyTokens'>['data'][number]
