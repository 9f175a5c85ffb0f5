import type { LocationSettings } from '@bearing/contracts/location/settings/location-settings'
import type { z } from 'zod'

const DEFAULTS = { retentionDays: 365 }

/** Returns the settings of an organization; without a row the defaults. */
export function viewSettings(
  row: { readonly retentionDays: number } | null,
): z.output<typeof LocationSettings> {
  const { retentionDays } = row ?? DEFAULTS
  return { share_observations: false, observation_retention_days: retentionDays }
}
