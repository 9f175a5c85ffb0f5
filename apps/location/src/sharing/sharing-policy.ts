/** Which organizations may contribute to the shared layer, of those that set `share_observations`. */
export const SHARING_POLICIES = ['off', 'approved', 'open'] as const

/** - `off`: none. - `approved`: those that the operator approved. - `open`: all. */
export type SharingPolicy = (typeof SHARING_POLICIES)[number]

/** The same as a condition on a row of `location_settings`. */
export const MAY_SHARE: Readonly<Record<SharingPolicy, string>> = {
  off: 'false',
  approved: '(share_observations AND sharing_approved_at IS NOT NULL)',
  open: 'share_observations',
}
