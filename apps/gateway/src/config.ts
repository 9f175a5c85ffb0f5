import { MAX_REMEMBERED_MS } from '@bearing/client-nats/identity-client'
import {
  PUBLIC_URL_SETTING,
  REDIS_URL_SETTING,
  SERVICE_SETTINGS,
  portSetting,
} from '@bearing/service/service-settings'
import type { Setting, Values } from '@bearing/service/settings'
import { z } from 'zod'

const list = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

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
  PUBLIC_URL: PUBLIC_URL_SETTING,
  CREDENTIAL_CACHE_TTL_MS: {
    schema: z.coerce.number().int().min(0).max(MAX_REMEMBERED_MS),
    description:
      'Milliseconds that a credential found valid is remembered; a revocation is heard of at once all the same',
    default: String(MAX_REMEMBERED_MS),
  },
  CREDENTIAL_CACHE_ENTRIES: {
    schema: z.coerce.number().int().min(1).max(10_000_000),
    description: 'Credentials that are remembered at most',
    default: '100000',
  },
  REDIS_URL: REDIS_URL_SETTING,
  FAILED_CREDENTIALS_PER_ADDRESS: {
    schema: z.coerce.number().int().min(0).max(1_000_000),
    description:
      'Different wrong credentials that an address (IPv6: a /64) may try in 10 minutes; 0 for any number',
    default: '100',
  },
  REQUESTS_PER_CREDENTIAL: {
    schema: z.coerce.number().int().min(0).max(1_000_000_000),
    description:
      'Requests a minute with one credential, with a project key from each address; 0 for any number',
    default: '60000',
  },
  REQUESTS_PER_ORGANIZATION: {
    schema: z.coerce.number().int().min(0).max(1_000_000_000),
    description:
      'Requests a minute of one organization, however many credentials it has: its tokens and users together, and all of its project keys together; 0 for any number',
    default: '600000',
  },
  REQUESTS_OF_STRANGERS: {
    schema: z.coerce.number().int().min(0).max(1_000_000),
    description:
      'Requests a minute from an address (IPv6: a /64) on routes that look at no credential, such as signing in; 0 for any number',
    default: '120',
  },
  TOKEN_USE_INTERVAL_MS: {
    schema: z.coerce.number().int().min(1_000).max(60_000),
    description:
      'Milliseconds after which identity is told which organization tokens were used; a crash loses as much',
    default: '60000',
  },
  REFUSAL_INTERVAL_MS: {
    schema: z.coerce.number().int().min(1_000).max(60_000),
    description:
      'Milliseconds after which identity is told whom rules of organizations have refused; a crash loses as much',
    default: '60000',
  },
  BODY_MEMORY_BYTES: {
    schema: z.coerce.number().int().min(16_777_216).max(68_719_476_736),
    description:
      'Memory in bytes for all request bodies under way in a process. An organization or user gets at most half of it, one network with one credential a third; more is refused with 503',
    default: '134217728',
  },
  UPLOADS_AT_ONCE: {
    schema: z.coerce.number().int().min(1).max(10_000),
    description:
      'Uploads that a process takes at the same time, at about 3 MB each; more are refused with 503',
    default: '32',
  },
  REQUEST_TIMEOUT_MS: {
    schema: z.coerce.number().int().min(1_000).max(600_000),
    description: 'Milliseconds in which a client has to send its whole request',
    default: '30000',
  },
} as const satisfies Record<string, Setting>

export type Settings = Values<typeof CONFIG>
