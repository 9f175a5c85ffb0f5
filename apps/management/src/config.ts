import { DATABASE_POOL_SETTING, SERVICE_SETTINGS, databaseSetting } from '@bearing/service/service-settings'
import type { Setting } from '@bearing/service/settings'

/** The settings of the management service. */
export const CONFIG = {
  ...SERVICE_SETTINGS,
  MANAGEMENT_DATABASE_URL: databaseSetting('management'),
  DATABASE_POOL: DATABASE_POOL_SETTING,
} as const satisfies Record<string, Setting>
