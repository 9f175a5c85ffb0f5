import { postgresSettings } from '@bearing/service/store/postgres-settings'

/** Reference scans that a project is compared with: the latest ones, at about 1 KB each. */
const MOST_SCANS = 20_000

/** The latest reference scans of a project. Without a name: it is planned for the project that is asked for. */
export const READ_SCANS = {
  text: `SELECT lat, lon, readings, height FROM reference_scans WHERE project_id = $1 AND organization_id = $2
    ORDER BY at_seconds DESC LIMIT ${String(MOST_SCANS)}`,
  columns: [
    ['lat', 'float8'],
    ['lon', 'float8'],
    ['readings', 'bytea'],
    ['height', 'jsonb | null'],
  ],
} as const

/**
 * Settings of the one connection that reads them. They come out of their index in this order. Postgres reckons with projects of
 * the usual size, for which it may as well read and sort all: of a project with millions that would take longer than it may.
 *
 * @param databaseUrl secret
 * @param readMs how long reading may take, in milliseconds
 */
export function readerSettings(databaseUrl: string, readMs: number) {
  const settings = postgresSettings(databaseUrl, 'location', 1)
  return { ...settings, query_timeout: readMs, options: `${settings.options} -c enable_sort=off` }
}
