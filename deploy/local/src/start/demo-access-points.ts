/** An access point of the demo: BSSID, latitude and longitude in degrees (WGS 84), no signal strength. */
export type DemoAccessPoint = [bssid: string, latitude: number, longitude: number, dBm: null]

/** Potsdamer Platz, Berlin. */
const CENTER = { latitude: 52.50965, longitude: 13.37592 }
const ROWS = 8
const COLUMNS = 8
const SPACING_METERS = 30
const METERS_PER_DEGREE = 111_320

/**
 * Made-up access points on a grid around a square: their addresses begin with 02:00:5e, which is locally administered, so
 * that no real one has them.
 */
export const DEMO_ACCESS_POINTS: readonly DemoAccessPoint[] = Array.from(
  { length: ROWS * COLUMNS },
  (_, index) => {
    const [north, east] = [
      Math.floor(index / COLUMNS) - (ROWS - 1) / 2,
      (index % COLUMNS) - (COLUMNS - 1) / 2,
    ]
    const latitude = CENTER.latitude + (north * SPACING_METERS) / METERS_PER_DEGREE
    const perDegree = METERS_PER_DEGREE * Math.cos((CENTER.latitude * Math.PI) / 180)
    const longitude = CENTER.longitude + (east * SPACING_METERS) / perDegree
    const bssid = `02:00:5e:00:${index.toString(16).padStart(2, '0')}:00`
    return [bssid, round(latitude), round(longitude), null]
  },
)

/** The scan of a device in the middle of the square. */
export const DEMO_SCAN = [
  { macAddress: '02:00:5e:00:1b:00', signalStrength: -52 },
  { macAddress: '02:00:5e:00:1c:00', signalStrength: -55 },
  { macAddress: '02:00:5e:00:23:00', signalStrength: -58 },
  { macAddress: '02:00:5e:00:24:00', signalStrength: -61 },
]

function round(degrees: number): number {
  return Math.round(degrees * 1e6) / 1e6
}
