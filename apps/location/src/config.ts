import { MAX_PACKED_ROWS } from '@bearing/contracts/location/access-point-import'
import { DATABASE_POOL_SETTING, SERVICE_SETTINGS, databaseSetting } from '@bearing/service/service-settings'
import type { Setting } from '@bearing/service/settings'
import { z } from 'zod'

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
  LOCATION_CACHE_ACCESS_POINTS: {
    schema: whole(1, 5_000_000),
    description: 'Access points that a process keeps in memory for one organization, at about 250 bytes each',
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
  LOCATION_COMMIT_ACCESS_POINTS: {
    schema: whole(MAX_PACKED_ROWS, 10_000_000),
    description:
      'Access points of an import that a process gathers in memory before it writes them, at about 100 bytes each; an import of more is written in parts, which takes longer',
    default: '1000000',
  },
} as const satisfies Record<string, Setting>
