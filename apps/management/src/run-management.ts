import type { Health } from '@bearing/service/observe/health'
import { runService } from '@bearing/service/run/run-service'
import type { Settings } from './config.js'
import { MIGRATIONS } from './generated/migrations.js'
import { Database } from './ground/database.js'
import { ManagementModule } from './management.module.js'

/** Runs management until SIGTERM; returns its health once it is ready. */
export function runManagement(settings: Settings): Promise<Health> {
  return runService({
    name: 'management',
    description: 'Organizations, projects, devices, and the data of devices.',
    settings,
    module: ManagementModule,
    schema: {
      name: 'management',
      migrations: MIGRATIONS,
      open: () => new Database(settings.MANAGEMENT_DATABASE_URL, 1),
    },
  })
}
