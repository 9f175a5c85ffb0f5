/** Why a row of a file is not sent, with the words for people. */
export const SKIP_REASONS = {
  malformed: 'Malformed row',
  not_wifi: 'Not Wi-Fi',
  unusable_mac: 'Unusable MAC address',
  opted_out: 'Opted out (_nomap, _optout)',
  unknown_radio: 'Unknown kind of radio',
  unusable_cell: 'Unusable cell identity',
  bad_coordinates: 'Bad or missing coordinates',
  inaccurate: 'Accuracy worse than 200 m',
} as const

export type SkipReason = keyof typeof SKIP_REASONS

/** The worst accuracy of a position that says anything about an access point, in metres. Wi-Fi reaches no further. */
export const MAX_ACCURACY_METERS = 200
