/** Signal strength that is assumed for an access point for which none was given, in dBm. */
export const UNKNOWN_SIGNAL_DBM = -85

/** Antennas and cases differ: offsets of a device in dB, and how probable each is (a normal distribution of 5 dB in three). */
export const DEVICE_OFFSETS = [
  { offsetDb: -6.5, probability: 0.25 },
  { offsetDb: 0, probability: 0.5 },
  { offsetDb: 6.5, probability: 0.25 },
] as const

/** Path-loss exponent: 2 in the open, 4 through walls; measured 2 to 4. */
export const PATH_LOSS_EXPONENT = 3

/** Square of a height above the receiver in m²: nobody is nearer to an access point than 8 m, counted that way. */
export const SOURCE_HEIGHT_SQUARED = 64
