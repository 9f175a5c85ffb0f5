import type { ExplainedAccessPoint } from '@bearing/contracts/location/lookups/explanation'
import type {
  HeardAccessPoint,
  SentAccessPoints,
} from '@bearing/contracts/location/access-points/heard-access-point'
import { formatMacAddress, isUsableBssid } from '@bearing/contracts/location/access-points/mac-address'
import { isLearned, type Knowledge } from '@bearing/positioning/access-points/access-point-model'
import { stays } from '@bearing/positioning/access-points/candidates'
import { residualOf } from '@bearing/positioning/fields/residual'
import type { Coordinates } from '@bearing/positioning/earth/sphere'
import { ageReader, MOST_OLDER_MS, optedOut } from '@bearing/positioning/scans/usable-readings'
import { sentReadings } from '../rules/sent-readings.js'
import type { WifiTrace } from '../sources/search-trace.js'

type Outcome = ExplainedAccessPoint['outcome']

/** The bit of a MAC address that says that it is locally administered. */
const LOCAL_BIT = 2 ** 41

/**
 * Returns what became of each access point of a scan. Those that the organization does not know itself have
 * no place here, and not whether the base layer knows them.
 *
 * @param position where the device is, if that is known
 */
export function explainAccessPoints(
  sent: SentAccessPoints,
  trace: WifiTrace | undefined,
  position: Coordinates | undefined,
): ExplainedAccessPoint[] {
  const ignored = ignoredReadings(sent)
  return sent.map((heard, index) => {
    if (!heard)
      return { macAddress: null, signalStrength: null, locallyAdministered: false, outcome: 'unreadable' }
    const { macAddress: bssid, signalStrength } = heard
    const isRepeated = trace?.usable.has(bssid) === false
    const reason = ignored.get(index) ?? (isRepeated ? 'old' : undefined)
    const known = reason ? undefined : trace?.known.get(bssid)
    const own = known?.isOwn ? known.known : undefined
    return {
      macAddress: formatMacAddress(bssid),
      signalStrength: signalStrength ?? null,
      locallyAdministered: Math.floor(bssid / LOCAL_BIT) % 2 === 1,
      outcome: reason ?? outcomeOf(bssid, own, trace),
      ...(own && { own: placeOf(bssid, own, signalStrength, position) }),
    }
  })
}

function outcomeOf(bssid: number, own: Knowledge | undefined, trace: WifiTrace | undefined): Outcome {
  if (!own || !trace) return 'not_own'
  if (trace.used.has(bssid)) return 'used'
  if (trace.agreeing.has(bssid)) return 'not_needed'
  return stays(own) ? 'elsewhere' : 'moves'
}

function placeOf(
  bssid: number,
  own: Knowledge,
  signalDbm: number | undefined,
  position: Coordinates | undefined,
): NonNullable<ExplainedAccessPoint['own']> {
  const { lat, lon, spreadMeters, observations } = own
  const { distance, residual, expected } = residualOf(bssid, own, signalDbm, position ?? own)
  return {
    ...{ lat, lon, spread: spreadMeters, observations, learned: isLearned(own), expected },
    distance: position ? distance : null,
    residual: position ? residual : null,
  }
}

/** Returns why readings do not count, by their place in the scan; the same rules as `usableReadings`. */
function ignoredReadings(sent: SentAccessPoints): ReadonlyMap<number, Outcome> {
  const readings = sentReadings(sent)
  const without = optedOut(readings)
  const counted = readings.filter(({ bssid }) => isUsableBssid(bssid) && !without?.has(bssid))
  const ageOf = ageReader(counted)
  const latest = counted.reduce((least, { ageMs }) => Math.min(least, ageOf(ageMs) ?? Infinity), Infinity)
  const ignored = new Map<number, Outcome>()
  const strongest = new Map<number, number>()
  sent.forEach((heard, index) => {
    if (!heard) return
    const { macAddress: bssid, age } = heard
    if (without?.has(bssid)) ignored.set(index, 'opted_out')
    else if (!isUsableBssid(bssid)) ignored.set(index, 'not_an_access_point')
    else if ((ageOf(age) ?? latest) - latest > MOST_OLDER_MS) ignored.set(index, 'old')
    else {
      const before = strongest.get(bssid)
      const isStronger = before === undefined || isAbove(heard, sent[before])
      if (before !== undefined) ignored.set(isStronger ? before : index, 'duplicate')
      if (isStronger) strongest.set(bssid, index)
    }
  })
  return ignored
}

function isAbove({ signalStrength }: HeardAccessPoint, other: HeardAccessPoint | undefined): boolean {
  return signalStrength !== undefined && !(signalStrength <= (other?.signalStrength ?? -Infinity))
}
