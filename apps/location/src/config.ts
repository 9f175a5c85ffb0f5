import { MAX_PACKED_ROWS } from '@bearing/contracts/location/access-point-import'
import { readNamedKeys } from '@bearing/service/named-keys'
import { readRanges } from '@bearing/service/read-ranges'
import {
  DATABASE_POOL_SETTING,
  REDIS_URL_SETTING,
  SERVICE_SETTINGS,
  databaseSetting,
} from '@bearing/service/service-settings'
import type { Setting, Values } from '@bearing/service/settings'
import { z } from 'zod'
import { SHARING_POLICIES } from './sharing/sharing-policy.js'

const whole = (min: number, max: number) => z.coerce.number().int().min(min).max(max)

/** The settings of the location service. */
export const CONFIG = {
  ...SERVICE_SETTINGS,
  LOCATION_DATABASE_URL: databaseSetting('location'),
  LOCATION_READ_URL: {
    schema: z.union([
      z.literal(''),
      z.string().regex(/^postgres(?:ql)?:\/\//, 'must be a postgresql:// URL'),
    ]),
    description:
      'Postgres that positions are looked up in, a replica for example, as the role of the location service; without it LOCATION_DATABASE_URL',
    default: '',
    secret: true,
  },
  DATABASE_POOL: DATABASE_POOL_SETTING,
  MIN_ACCESS_POINTS: {
    schema: whole(1, 20),
    description:
      'Radios that a scan needs, and that have to be known and agree where they are not the own ones of the organization; below 2 a caller could ask for the place of a single one',
    default: '2',
  },
  PROJECT_OBSERVATION_BYTES_PER_DAY: {
    schema: whole(0, 2 ** 50),
    description:
      'The most bytes of observations that one project may contribute in a day, each about 1 KB; 0 for any number',
    default: '1073741824',
  },
  ORGANIZATION_OBSERVATION_BYTES_PER_DAY: {
    schema: whole(0, 2 ** 50),
    description:
      'The most bytes of observations that all projects of one organization may contribute in a day; 0 for any number',
    default: '2147483648',
  },
  LOCATION_CACHE_ACCESS_POINTS: {
    schema: whole(1, 5_000_000),
    description:
      'Access points that a process keeps in memory for one organization, at about 100 bytes each, and some hundreds each where they were learned',
    default: '50000',
  },
  LOCATION_CACHE_ORGANIZATIONS: {
    schema: whole(1, 100_000),
    description: 'Organizations that a process keeps access points in memory for',
    default: '64',
  },
  LOCATION_CACHE_TTL_MS: {
    schema: whole(1, 60_000),
    description:
      'Milliseconds for which an access point is kept in memory; changes are announced and seen earlier',
    default: '60000',
  },
  LOCATION_SHARING: {
    schema: z.enum(SHARING_POLICIES),
    description:
      'Which organizations may contribute to the shared layer, of those that set `share_observations`: `off` (none), `approved` (those that the operator approved with `bearing admin sharing approve`) or `open` (all)',
    default: 'approved',
  },
  LOCATION_SHARED_MISSES_PER_MINUTE: {
    schema: whole(1, 1_000_000),
    description:
      'Wi-Fi look-ups of one organization per minute whose access points are known in the shared layer and do not agree about a place; beyond it only the own access points of the organization are used until the minute is over',
    default: '120',
  },
  LOCATION_COMMIT_ACCESS_POINTS: {
    schema: whole(MAX_PACKED_ROWS, 10_000_000),
    description:
      'Access points of an import that a process gathers in memory before it writes them, at about 100 bytes each; an import of more is written in parts, which takes longer',
    default: '1000000',
  },
  IMPORTS_PER_ORGANIZATION: {
    schema: whole(1, 1_000_000),
    description: 'Imports of one organization that may be open at the same time',
    default: '100',
  },
  IMPORT_BYTES_PER_ORGANIZATION: {
    schema: whole(1_000_000, Number.MAX_SAFE_INTEGER),
    description:
      'Bytes that the imports of one organization may have that are not committed yet, at 15 bytes for each access point',
    default: '4294967296',
  },
  LOCATION_SECRET_KEYS: {
    schema: z.string().transform((text, context) => {
      const keys = readNamedKeys(text, (message) => {
        context.addIssue({ code: 'custom', message })
      })
      return keys ?? z.NEVER
    }),
    description:
      'Keys that the keys of fallbacks are sealed under, as id:base64 of at least 32 bytes, comma separated; the first one is for new ones, and one may only go when every fallback that is older than the one before it was set again',
    secret: true,
  },
  LOCATION_FALLBACK_PRIVATE_RANGES: {
    schema: z.string().transform(readRanges),
    description:
      'Ranges of addresses that fallbacks may be at although they are not public, there without TLS too: `10.1.0.0/16,fd00::/8`. Admins of organizations name the addresses, so they can make location ask every machine in them',
    default: '',
  },
  REDIS_URL: REDIS_URL_SETTING,
} as const satisfies Record<string, Setting>

export type Settings = Values<typeof CONFIG>
