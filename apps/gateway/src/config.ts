import { MAX_CACHED_MS } from '@bearing/client-nats/identity-client'
import { Id } from '@bearing/contracts/primitives'
import {
  PUBLIC_URL_SETTING,
  REDIS_URL_SETTING,
  SERVICE_SETTINGS,
  portSetting,
} from '@bearing/service/ground/service-settings'
import type { Constants, Setting, Values } from '@bearing/service/ground/settings'
import { z } from 'zod'

const list = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/** Reads `<project id>=<origin>` pairs. */
function readOrigins(text: string, context: z.RefinementCtx): ReadonlyMap<string, URL> {
  const origins = list(text).map((pair): [string, URL] => {
    const [id = '', origin = ''] = pair.split('=')
    const url = URL.canParse(origin) ? new URL(origin) : undefined
    const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.test(url.hostname))
    if (url?.origin === origin && isSafe && Id.safeParse(id).success) return [id, url]
    context.addIssue(
      'must be pairs such as 01910000-0000-7000-8000-000000000000=https://chunks.example.com, comma separated, without a path; http only to this machine',
    )
    return z.NEVER
  })
  return new Map(origins)
}

/** Settings of the gateway. */
export const CONFIG = {
  ...SERVICE_SETTINGS,
  PORT: portSetting('Port that the gateway listens on', '8080'),
  GATEWAY_PROCESSES: {
    schema: z.coerce.number().int().min(1).max(64),
    description:
      'Processes that share the port, so that one container uses several cores. Their health ports follow `HEALTH_PORT`, and each has the memory of a gateway. Set `REDIS_URL` with it, or each counts limits alone',
    default: '1',
  },
  PROJECT_KEY_HEADERS: {
    schema: z
      .string()
      .transform(list)
      .pipe(z.array(z.string().regex(/^[A-Za-z0-9-]{1,64}$/, 'must be header names')).min(1)),
    description:
      'Header names in which a project key is accepted, comma separated; devices in the field cannot change theirs',
    default: 'Service-Project-Key',
  },
  TRUSTED_PROXIES: {
    schema: z.string().transform(list),
    description: 'IP addresses or CIDR ranges of proxies whose `X-Forwarded-For` is trusted, comma separated',
    default: '',
  },
  CLIENT_CERTIFICATES: {
    schema: z.enum(['off', 'rfc9440', 'nginx', 'envoy', 'traefik', 'tls']),
    description:
      'Where client certificates of devices come from: a header of `TRUSTED_PROXIES` (`rfc9440`: `Client-Cert` and `Client-Cert-Chain`; `nginx`: `X-SSL-Client-Cert`; `envoy`: `X-Forwarded-Client-Cert`; `traefik`: `X-Forwarded-Tls-Client-Cert`), or `tls`: the gateway asks for them itself, with `TLS_CERT_FILE`',
    default: 'off',
  },
  TLS_CERT_FILE: {
    schema: z.string(),
    description:
      'Path of a PEM file with the certificate of the gateway and those that lead to its authority, with `TLS_KEY_FILE`: the gateway ends TLS itself. Read again when it changes. Empty: plain HTTP, behind a proxy',
    default: '',
  },
  TLS_KEY_FILE: {
    schema: z.string(),
    description: 'Path of a PEM file with the private key of `TLS_CERT_FILE`',
    default: '',
  },
  PUBLIC_URL: PUBLIC_URL_SETTING,
  DASHBOARD: {
    schema: z.enum(['yes', 'no']).transform((text) => text === 'yes'),
    description: 'Whether the gateway serves the dashboard. `no` for gateways that only devices reach',
    default: 'yes',
  },
  MAP_URL: {
    schema: z
      .literal('')
      .or(z.url({ protocol: /^(https?|file)$/, error: 'must be an https, http or file URL' }))
      .refine((text) => !/[\s;,']/.test(text), 'must not contain spaces, quotes, commas or semicolons'),
    description:
      'Map of the dashboard: URL of a PMTiles file (its path ends in `.pmtiles`) or of a MapLibre style. The gateway itself serves a `file:///map/map.pmtiles`, if it is there; `bearing admin map set` puts one there without a restart. Empty: land only',
    default: '',
  },
  MAP_ATTRIBUTION: {
    schema: z.string().max(200),
    description: 'Text below the map that names the source of `MAP_URL`',
    default: '',
  },
  PASS_THROUGH: {
    schema: z.string().transform(readOrigins),
    description:
      'For a trial beside another service: `<project id>=<origin>`, comma separated. Requests with the project key of such a project are passed through to the origin, and chunks are stored as well',
    default: '',
  },
  REDIS_URL: REDIS_URL_SETTING,
  OTEL_TRACES_SAMPLER_ARG: {
    schema: z.coerce.number().min(0).max(1),
    description:
      'Share of requests that are traced, from 0 to 1. Services follow the gateway; a client does not decide it',
    default: '0.01',
  },
  REQUESTS_PER_ORGANIZATION: {
    schema: z.coerce.number().int().min(0).max(1_000_000_000),
    description:
      'Requests per minute of one organization: its tokens and users together, and all of its project keys together; 0 for no limit',
    default: '600000',
  },
  REQUESTS_OF_STRANGERS: {
    schema: z.coerce.number().int().min(0).max(1_000_000),
    description:
      'Requests per minute from an IP address (IPv6: a /64) on routes without a credential, such as signing in; 0 for no limit',
    default: '120',
  },
} as const satisfies Record<string, Setting>

/** Numbers that only tests change. */
export const CONSTANTS = {
  /** Different wrong credentials that an IP address (IPv6: a /64) may send in 10 minutes; 0 for no limit. */
  FAILED_CREDENTIALS_PER_ADDRESS: 100,
  /** Requests per minute with one credential (project key: per key and IP address); 0 for no limit. */
  REQUESTS_PER_CREDENTIAL: 60_000,
  /** Bytes of compressed bodies that an organization may send per day, as received and decompressed together; 0 for no limit. */
  ORGANIZATION_COMPRESSED_BYTES_PER_DAY: 8_589_934_592,
  /** Bytes of memory for all request bodies in a process: half of it for one organization, a third for one network with one credential. */
  BODY_MEMORY_BYTES: 134_217_728,
  /** Uploads that a process receives concurrently, at about 3 MB of memory each. */
  UPLOADS_AT_ONCE: 32,
  /** Milliseconds for which a valid credential is cached. Events remove revoked ones earlier; this is for lost events. */
  CREDENTIAL_CACHE_TTL_MS: MAX_CACHED_MS,
  /** Milliseconds between reports to identity of token uses and of refusals by rules; a crash loses one report. */
  REPORT_INTERVAL_MS: 60_000,
  /** Milliseconds that a device waits for the service of `PASS_THROUGH`. */
  PASS_THROUGH_TIMEOUT_MS: 5_000,
  /** Requests of a process that wait for services of `PASS_THROUGH`: so many whose copy is stored, and as many others. */
  CONCURRENT_PASS_THROUGHS: 64,
  /** Milliseconds in which a client has to send its whole request; uploads get more with their size. */
  REQUEST_TIMEOUT_MS: 30_000,
} satisfies Constants

/** The parsed settings, and the constants. */
export type Settings = Values<typeof CONFIG> & typeof CONSTANTS
