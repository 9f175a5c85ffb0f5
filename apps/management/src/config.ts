import { DATABASE_POOL_SETTING, SERVICE_SETTINGS, databaseSetting } from '@bearing/service/service-settings'
import { z } from 'zod'
import type { Setting } from '@bearing/service/settings'

/** The settings of the management service. */
export const CONFIG = {
  ...SERVICE_SETTINGS,
  MANAGEMENT_DATABASE_URL: databaseSetting('management'),
  DATABASE_POOL: DATABASE_POOL_SETTING,
  RETENTION_INTERVAL_MS: {
    schema: z.coerce.number().int().min(1_000).max(86_400_000),
    description:
      'Milliseconds after which chunks are looked for again that are older than their project keeps them',
    default: '600000',
  },
} as const satisfies Record<string, Setting>
