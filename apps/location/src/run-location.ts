import type { Health } from '@bearing/service/observe/health'
import { runService } from '@bearing/service/run/run-service'
import type { Settings } from './config.js'
import { MIGRATIONS } from './generated/migrations.js'
import { openReader } from './ground/database.js'
import { LocationModule } from './location.module.js'

/** Runs the location service until SIGTERM; returns its health once it is ready. */
export function runLocation(settings: Settings): Promise<Health> {
  return runService({
    name: 'location',
    description:
      'Locates devices by Wi-Fi scans and radio cells, and learns where access points and cells are',
    settings,
    module: LocationModule,
    schema: {
      name: 'location',
      migrations: MIGRATIONS,
      open: () => openReader(settings.LOCATION_DATABASE_URL),
    },
  })
}
