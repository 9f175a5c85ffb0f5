import { z } from 'zod'
import type { Setting } from './settings.js'

const port = z.coerce.number().int().min(0).max(65_535)

/** Settings that every service has. */
export const SERVICE_SETTINGS = {
  NATS_URL: {
    schema: z.string().min(1),
    description: 'NATS server or servers (comma separated), with user and password where it asks for them',
    secret: true,
  },
  NATS_NKEY_SEED: {
    schema: z.union([
      z.literal(''),
      z.string().regex(/^SU[A-Z2-7]{56}$/, 'must be the seed of an nkey, SU…'),
    ]),
    description: 'Proves to NATS which service this is: the seed of its nkey, instead of a user and password',
    default: '',
    secret: true,
  },
  LOG_LEVEL: {
    schema: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']),
    description: 'Least severe log line that is written',
    default: 'info',
  },
  HEALTH_HOST: {
    schema: z.string().min(1),
    description: 'Address on which health and metrics are served',
    default: '0.0.0.0',
  },
  HEALTH_PORT: {
    schema: port,
    description: 'Port on which `/livez`, `/readyz` and `/metrics` are served',
    default: '9090',
  },
  SHUTDOWN_DELAY_MS: {
    schema: z.coerce.number().int().min(0).max(60_000),
    description:
      'Milliseconds between SIGTERM, from which on `/readyz` fails, and the end of new work; for load balancers',
    default: '0',
  },
  SHUTDOWN_TIMEOUT_MS: {
    schema: z.coerce.number().int().min(100).max(600_000),
    description: 'Milliseconds that calls under way get to finish after SIGTERM',
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
    'Database connections that one process may hold for what it is asked; location holds ten more, and this many at `LOCATION_READ_URL`',
  default: '10',
} as const satisfies Setting

/** Where people find this Bearing. */
export const PUBLIC_URL_SETTING = {
  schema: z.union([z.literal(''), z.url({ protocol: /^https?$/ })]),
  description:
    'Address that clients reach the gateway at, for the API reference, the `type` of problems, and links in mails; sessions of browsers are then accepted from its pages only',
  default: '',
} as const satisfies Setting

/** Where limits are kept that several processes share. */
export const REDIS_URL_SETTING = {
  schema: z.union([z.literal(''), z.string().regex(/^rediss?:\/\//, 'must be a redis:// or rediss:// URL')]),
  description: 'Redis or Valkey in which all processes count together; without it each counts by itself',
  default: '',
  secret: true,
} as const satisfies Setting

/** A port setting. */
export function portSetting(description: string, value: string) {
  return { schema: port, description, default: value } as const satisfies Setting
}
