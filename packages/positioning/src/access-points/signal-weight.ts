/** Signal strength that is assumed if none is given, in dBm: weak, so that it says little. */
const UNKNOWN_SIGNAL_DBM = -90

/**
 * Returns how much an observation says about where its access point is: [10⁴ / (s − 20)²]², with s in dBm. From the data
 * processing of Mozilla's ichnaea (models/observation.py): 16 at −30 dBm, 1.5 at −70, 0.7 at −90.
 *
 * @param signalDbm −128 to 0
 */
export function observationWeight(signalDbm = UNKNOWN_SIGNAL_DBM): number {
  return (1e4 / (signalDbm - 20) ** 2) ** 2
}

/** The strongest signal that is believed, in dBm: above it 1 / s⁴ would let one access point decide alone. */
const STRONGEST_SIGNAL_DBM = -20

/**
 * Returns how much a heard access point says about where the device is: 1 / s⁴, with s in dBm. From the position search of
 * Mozilla's ichnaea (api/locate/mac.py).
 *
 * @param signalDbm −128 to 0
 */
export function scanWeight(signalDbm = UNKNOWN_SIGNAL_DBM): number {
  const squared = Math.min(signalDbm, STRONGEST_SIGNAL_DBM) ** 2
  return 1 / (squared * squared)
}
