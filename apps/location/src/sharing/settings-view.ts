import type { LocationSettings } from '@bearing/contracts/location/location-settings'
import type { z } from 'zod'

/** What counts where an organization has said nothing: nothing is shared, and contributions are kept for a year. */
const DEFAULTS = { shareObservations: false, retentionDays: 365 }

/** The settings of an organization as they are shown. */
export function viewSettings(
  row: { readonly shareObservations: boolean; readonly retentionDays: number } | null,
): z.infer<typeof LocationSettings> {
  const { shareObservations, retentionDays } = row ?? DEFAULTS
  return { share_observations: shareObservations, observation_retention_days: retentionDays }
}
