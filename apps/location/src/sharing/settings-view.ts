import type { LocationSettings } from '@bearing/contracts/location/location-settings'
import type { z } from 'zod'

const DEFAULTS = { shareObservations: false, retentionDays: 365 }

/** Returns the settings of an organization; without a row the defaults. */
export function viewSettings(
  row: { readonly shareObservations: boolean; readonly retentionDays: number } | null,
): z.infer<typeof LocationSettings> {
  const { shareObservations, retentionDays } = row ?? DEFAULTS
  return { share_observations: shareObservations, observation_retention_days: retentionDays }
}
