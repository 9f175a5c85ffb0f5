import { z } from 'zod'
import type { Setting } from './settings.js'

/** `name=value` pairs, comma separated, percent-encoded: https://opentelemetry.io/docs/specs/otel/protocol/exporter/ */
function readHeaders(text: string, context: z.RefinementCtx): Readonly<Record<string, string>> {
  const pairs = text.split(',').filter((part) => part.trim() !== '')
  try {
    return Object.fromEntries(
      pairs.map((part) => {
        const [, name = '', value = ''] = /^\s*([\w-]+)\s*=(.*)$/s.exec(part) ?? []
        if (name === '') throw new Error('no name')
        return [name, decodeURIComponent(value.trim())]
      }),
    )
  } catch {
    context.addIssue('must be pairs such as api-key=secret, comma separated')
    return z.NEVER
  }
}

const port = z.coerce.number().int().min(0).max(65_535)

/** Settings that every service has. */
export const SERVICE_SETTINGS = {
  NATS_URL: {
    schema: z.string().min(1),
    description: 'NATS server or servers (comma separated), with user and password if it requires them',
    secret: true,
  },
  NATS_NKEY_SEED: {
    schema: z.union([
      z.literal(''),
      z.string().regex(/^SU[A-Z2-7]{56}$/, 'must be the seed of an nkey, SU…'),
    ]),
    description:
      'Seed of the nkey with which the service authenticates to NATS, instead of a user and password',
    default: '',
    secret: true,
  },
  LOG_LEVEL: {
    schema: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']),
    description: 'Lowest level of log lines that are written',
    default: 'info',
  },
  HOST: {
    schema: z.string().min(1),
    description: 'IP address that the process listens on, for requests, health checks and metrics',
    default: '0.0.0.0',
  },
  HEALTH_PORT: {
    schema: port,
    description: 'Port on which `/livez`, `/readyz` and `/metrics` are served',
    default: '9090',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    schema: z
      .literal('')
      .or(z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }))
      .refine((text) => !text.includes('@'), 'must not contain a user: use OTEL_EXPORTER_OTLP_HEADERS'),
    description:
      'URL of an OpenTelemetry collector that traces are sent to over OTLP/HTTP, such as `http://collector:4318`. Empty: no traces',
    default: '',
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    schema: z.string().transform(readHeaders),
    description: 'Headers of requests to the collector: `name=value`, comma separated, percent-encoded',
    default: '',
    secret: true,
  },
  NODE_NAME: {
    schema: z.string(),
    description: 'Kubernetes node that the process runs on, for `bearing admin doctor`; the chart sets it',
    default: '',
  },
  SHUTDOWN_DELAY_MS: {
    schema: z.coerce.number().int().min(0).max(60_000),
    description:
      'Milliseconds after SIGTERM in which `/readyz` fails and new requests are still accepted; for load balancers',
    default: '0',
  },
  SHUTDOWN_TIMEOUT_MS: {
    schema: z.coerce.number().int().min(100).max(600_000),
    description: 'Milliseconds in which running requests can finish after SIGTERM',
    default: '10000',
  },
} as const satisfies Record<string, Setting>

/** A Postgres URL for one service. */
export function databaseSetting(service: string) {
  return {
    schema: z.string().regex(/^postgres(?:ql)?:\/\//, 'must be a postgresql:// URL'),
    description: `Postgres of the ${service} service, as its own role`,
    secret: true,
  } as const satisfies Setting
}

/** Connections that one process may hold. */
export const DATABASE_POOL_SETTING = {
  schema: z.coerce.number().int().min(1).max(200),
  description:
    'Database connections of one process for requests; location opens ten more, and as many again at `LOCATION_READ_URL`',
  default: '10',
} as const satisfies Setting

export const PUBLIC_URL_SETTING = {
  schema: z.union([z.literal(''), z.url({ protocol: /^https?$/ })]),
  description:
    'URL at which clients reach the gateway, for the API reference, the `type` of problems and links in mails; browser sessions are then accepted from this origin only',
  default: '',
} as const satisfies Setting

export const REDIS_URL_SETTING = {
  schema: z.union([z.literal(''), z.string().regex(/^rediss?:\/\//, 'must be a redis:// or rediss:// URL')]),
  description:
    'Redis or Valkey in which all processes share their rate limits; without it each process counts separately',
  default: '',
  secret: true,
} as const satisfies Setting

export function portSetting(description: string, value: string) {
  return { schema: port, description, default: value } as const satisfies Setting
}
