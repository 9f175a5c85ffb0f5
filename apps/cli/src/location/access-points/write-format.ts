import type { AccessPoint } from '@bearing/contracts/location/access-points/access-point'
import type { Format } from '@bearing/files/access-points/formats'
import type { LineShape } from '../../session/write-lines.js'

/** WiGLE knows no access points, only that one was heard: a day long past, so that nobody takes it for a survey. */
const WIGLE_TIME = '1970-01-01 00:00:00'

/** Writers of every format that access points can be read from. Coordinates have seven decimals: a centimeter. */
export const WRITERS: Readonly<Record<Format, LineShape<AccessPoint>>> = {
  csv: list(
    ['bssid', 'lat', 'lon', 'spread', 'observations', 'declared', 'learned', 'updated_at'],
    ({ macAddress, lat, lon, spread, observations, declared, learned, updated_at }) =>
      `${macAddress},${degrees(lat)},${degrees(lon)},${spread.toFixed(2)},${String(observations)},${String(declared)},${String(learned)},${updated_at}`,
  ),
  mls: list(
    [
      ...[
        'mac',
        'lat',
        'lon',
        'max_lat',
        'min_lat',
        'max_lon',
        'min_lon',
        'radius',
        'region',
        'samples',
        'source',
      ],
      ...['weight', 'created', 'modified', 'last_seen', 'block_first', 'block_last', 'block_count'],
    ],
    ({ macAddress, lat, lon, spread, observations, updated_at }) => {
      const [north, east] = [degrees(lat), degrees(lon)]
      const at = String(Math.floor(Date.parse(updated_at) / 1_000))
      const box = `${north},${north},${east},${east}`
      return `${macAddress.replaceAll(':', '')},${north},${east},${box},${String(Math.round(spread))},,${String(observations)},,0,${at},${at},${at},,,0`
    },
  ),
  neostumbler: list(
    [
      ...[
        'timestamp',
        'latitude',
        'longitude',
        'locationAccuracy',
        'altitude',
        'altitudeAccuracy',
        'locationAge',
      ],
      ...['speed', 'pressure', 'macAddress', 'wifiScanAge', 'signalStrength', 'ssid'],
    ],
    ({ macAddress, lat, lon, updated_at }) =>
      `${String(Date.parse(updated_at))},${degrees(lat)},${degrees(lon)},,,,,,,${macAddress},,,`,
  ),
  wigle: {
    header: [
      'WigleWifi-1.4,appRelease=bearing',
      'MAC,SSID,AuthMode,FirstSeen,Channel,RSSI,CurrentLatitude,CurrentLongitude,AltitudeMeters,AccuracyMeters,Type',
    ],
    line: ({ macAddress, lat, lon }) =>
      `${macAddress},,,${WIGLE_TIME},0,0,${degrees(lat)},${degrees(lon)},0,0,WIFI`,
    footer: [],
  },
  geosubmit: {
    header: [],
    line: ({ macAddress, lat, lon, updated_at }) =>
      JSON.stringify({
        timestamp: Date.parse(updated_at),
        position: { latitude: Number(degrees(lat)), longitude: Number(degrees(lon)) },
        wifiAccessPoints: [{ macAddress }],
      }),
    footer: [],
  },
  geojson: {
    header: ['{"type":"FeatureCollection","features":['],
    line: ({ macAddress, lat, lon, ...rest }, isFirst) => {
      const geometry = { type: 'Point', coordinates: [Number(degrees(lon)), Number(degrees(lat))] }
      const feature = { type: 'Feature', geometry, properties: { bssid: macAddress, ...rest } }
      return `${isFirst ? '' : ','}${JSON.stringify(feature)}`
    },
    footer: [']}'],
  },
}

function list(columns: readonly string[], line: LineShape<AccessPoint>['line']): LineShape<AccessPoint> {
  return { header: [columns.join(',')], line, footer: [] }
}

function degrees(value: number): string {
  return value.toFixed(7)
}
