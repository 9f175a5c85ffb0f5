import { normal, numbers } from '../numbers.js'
import { FlatMap } from './flat.js'
import type { ScanSet, TrueScan } from './scan-set.js'

/** Scans that a hall is asked with. */
const ASKED = 200
const MAP = new FlatMap({ lat: 60, lon: 20 })

/**
 * Made-up halls in which radii have to hold as well, because real sets are of three places: access points and scans anywhere, path loss
 * n = 4, no walls. They differ in how many access points and reference scans there are, and how exactly both are measured.
 *
 * @param seeds a hall for each; the same one in every run
 */
export function halls(seeds: readonly number[]): ScanSet[] {
  return seeds.map(hallOf)
}

function hallOf(seed: number): ScanSet {
  const next = numbers(2_000 + seed)
  const between = (least: number, most: number) => least + (most - least) * next()
  const [width, height] = [between(100, 500), between(30, 120)]
  const shadowDb = between(4, 8)
  const accuracyMeters = between(2, 6)
  const surveyed = Math.round(60 * 16 ** next())
  const anywhere = () => ({ x: width * next(), y: height * next() })
  const transmitters = Array.from({ length: Math.round(between(12, 72)) }, (_, index) => ({
    bssid: 0x02_00_00_00_00_00 + 64 * (index + 1),
    ...anywhere(),
  }))
  const scan = (): TrueScan => {
    const place = anywhere()
    const accessPoints = transmitters
      .map(({ bssid, x, y }) => {
        const meters = Math.max(1, Math.hypot(x - place.x, y - place.y))
        const signalDbm = Math.round(Math.min(-20, -30 - 40 * Math.log10(meters) + shadowDb * normal(next)))
        return { bssid, signalDbm, ageMs: 0 }
      })
      .filter(({ signalDbm }) => signalDbm > -95)
    return {
      ...MAP.place(place),
      accuracyMeters,
      seconds: 1_740_787_200,
      track: '',
      device: '',
      accessPoints,
    }
  }
  const name = `hall ${String(seed)}`
  const train = Array.from({ length: surveyed }, scan)
  return { name, group: name, folds: [{ train, test: Array.from({ length: ASKED }, scan) }] }
}
