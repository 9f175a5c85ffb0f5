import { IDENTITY_MEMORY_MS } from '@bearing/contracts/identity/credential'
import { SERVICE_SETTINGS, portSetting } from '@bearing/service/service-settings'
import type { Setting } from '@bearing/service/settings'
import { z } from 'zod'

const list = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

/** A revocation that nobody hears of still ends after 30 seconds: what identity remembers and what we do, together. */
const MAX_CREDENTIAL_TTL_MS = 30_000 - IDENTITY_MEMORY_MS

/** Settings of the gateway. */
export const CONFIG = {
  ...SERVICE_SETTINGS,
  HOST: { schema: z.string().min(1), description: 'Address that the gateway listens on', default: '0.0.0.0' },
  PORT: portSetting('Port that the gateway listens on', '8080'),
  PROJECT_KEY_HEADERS: {
    schema: z
      .string()
      .transform(list)
      .pipe(z.array(z.string().regex(/^[A-Za-z0-9-]{1,64}$/, 'must be header names')).min(1)),
    description:
      'Names under which a project key is accepted, comma separated; fleets in the field cannot change theirs',
    default: 'Service-Project-Key',
  },
  TRUSTED_PROXIES: {
    schema: z.string().transform(list),
    description:
      'Addresses or CIDR ranges of proxies whose `X-Forwarded-For` is believed, comma separated; none by default',
    default: '',
  },
  PUBLIC_URL: {
    schema: z.union([z.literal(''), z.url({ protocol: /^https?$/ })]),
    description:
      'Address that clients reach the gateway at, for the API reference and the `type` of problems',
    default: '',
  },
  CREDENTIAL_CACHE_TTL_MS: {
    schema: z.coerce.number().int().min(0).max(MAX_CREDENTIAL_TTL_MS),
    description:
      'Milliseconds that a credential found valid is remembered; a revocation is heard of at once all the same',
    default: String(MAX_CREDENTIAL_TTL_MS),
  },
  CREDENTIAL_CACHE_ENTRIES: {
    schema: z.coerce.number().int().min(1).max(10_000_000),
    description: 'Credentials that are remembered at most',
    default: '100000',
  },
  TOKEN_USE_INTERVAL_MS: {
    schema: z.coerce.number().int().min(1_000).max(60_000),
    description:
      'Milliseconds after which identity is told which organization tokens were used; a crash loses as much',
    default: '60000',
  },
  REQUEST_TIMEOUT_MS: {
    schema: z.coerce.number().int().min(1_000).max(600_000),
    description: 'Milliseconds in which a client has to send its whole request',
    default: '30000',
  },
} as const satisfies Record<string, Setting>
