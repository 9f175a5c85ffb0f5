import { readNamedKeys } from '@bearing/service/ground/named-keys'
import { readRanges } from '@bearing/service/ground/read-ranges'
import {
  DATABASE_POOL_SETTING,
  REDIS_URL_SETTING,
  SERVICE_SETTINGS,
  databaseSetting,
} from '@bearing/service/ground/service-settings'
import type { Constants, Setting, Values } from '@bearing/service/ground/settings'
import { z } from 'zod'

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
      'Postgres for location lookups, such as a replica, as the role of the location service; LOCATION_DATABASE_URL if empty',
    default: '',
    secret: true,
  },
  DATABASE_POOL: DATABASE_POOL_SETTING,
  LOCATION_SECRET_KEYS: {
    schema: z.string().transform((text, context) => {
      const keys = readNamedKeys(text, (message) => {
        context.addIssue({ code: 'custom', message })
      })
      return keys ?? z.NEVER
    }),
    description:
      'Keys for encrypting the keys of fallback providers, as id:base64 of at least 32 bytes, comma separated; the first one is for new ones. Remove a key only when every fallback that was set under it has been set again',
    secret: true,
  },
  LOCATION_FALLBACK_PRIVATE_RANGES: {
    schema: z.string().transform(readRanges),
    description:
      'Private ranges of IP addresses that fallback providers may have, there without TLS too: `10.1.0.0/16,fd00::/8`. Admins of organizations choose the URLs, so they can make location send requests to every machine in these ranges',
    default: '',
  },
  REDIS_URL: REDIS_URL_SETTING,
} as const satisfies Record<string, Setting>

/** Numbers that only tests and benchmarks change. */
export const CONSTANTS = {
  /** Bytes of observations that one project may contribute per day, each about 1 KB; 0 for no limit. */
  PROJECT_OBSERVATION_BYTES_PER_DAY: 1_073_741_824,
  /** The same of one organization. */
  ORGANIZATION_OBSERVATION_BYTES_PER_DAY: 2_147_483_648,
  /** Access points of one organization that a process caches, at about 100 bytes each, or an eighth as many if they were learned. */
  LOCATION_CACHE_ACCESS_POINTS: 1_000_000,
  /** Neighborhoods of the base layer that Wi-Fi look-ups may ask about per minute, beyond the first of each, for all organizations of one creator. */
  LOCATION_SEARCHES_PER_MINUTE: 120,
  /** Bytes of one organization's uncommitted imports, at 15 bytes per access point. */
  IMPORT_BYTES_PER_ORGANIZATION: 4_294_967_296,
  /** Milliseconds for which an access point is cached. Events remove changed ones earlier; this is for lost events. */
  LOCATION_CACHE_TTL_MS: 60_000,
  /** The same for one that only an import or erasure can change, or something learned for the first time: these are checked. */
  LOCATION_CACHE_CHECKED_TTL_MS: 900_000,
  /** Access points of an import collected in memory before they are written: about 100 MB. */
  LOCATION_COMMIT_ACCESS_POINTS: 1_000_000,
  /** Open imports of one organization; IMPORT_BYTES_PER_ORGANIZATION limits what they store. */
  IMPORTS_PER_ORGANIZATION: 100,
} satisfies Constants

/** The parsed settings, and the constants. */
export type Settings = Values<typeof CONFIG> & typeof CONSTANTS
