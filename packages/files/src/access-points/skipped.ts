/** Reasons to skip a row, with their texts. */
export const SKIP_REASONS = {
  malformed: 'Malformed row',
  not_wifi: 'Not Wi-Fi',
  unusable_mac: 'Unusable MAC address',
  opted_out: 'Opted out (_nomap, _optout)',
  unknown_radio: 'Unknown radio type',
  unusable_cell: 'Unusable cell identity',
  bad_coordinates: 'Bad or missing coordinates',
  inaccurate: 'Accuracy worse than 200 m',
} as const

export type SkipReason = keyof typeof SKIP_REASONS

/** Worst usable accuracy of a position, in meters: the range of Wi-Fi. */
export const MAX_ACCURACY_METERS = 200
