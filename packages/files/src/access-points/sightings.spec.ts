import { expect, it } from '@jest/globals'
import { cellSightings } from '../cells/cell-sightings.js'
import type { Report } from './geosubmit.js'
import { neostumblerReader } from './neostumbler.js'
import { SightingScans } from './sightings.js'
import { wigleReader } from './wigle.js'

type ReadSighting = ReturnType<typeof cellSightings>

function scansOf(read: ReadSighting, rows: readonly string[]): Report[] {
  const scans = new SightingScans()
  const found = rows.flatMap((row) => {
    const sighting = read?.(row.split(','))
    if (typeof sighting !== 'object') throw new Error(`not read: ${row}`)
    return scans.add(sighting)
  })
  return [...found, ...scans.end()]
}

const WIGLE = wigleReader(
  'MAC,SSID,AuthMode,FirstSeen,Channel,RSSI,CurrentLatitude,CurrentLongitude,AltitudeMeters,AccuracyMeters,Type'.split(
    ',',
  ),
)?.readSighting
const seen = (last: number, time: string) =>
  `02:00:00:00:00:${String(last)},a,[ESS],${time},6,-60,48.1,11.5,520,5,WIFI`

it('rows of one second and place are a scan, with and without leading zeros', () => {
  for (const [one, other] of [
    ['2023-07-20 18:02:09', '2023-07-20 18:03:09'],
    ['2023-7-20 18:2:9', '2023-7-20 18:3:9'],
  ] as const) {
    const scans = scansOf(WIGLE, [seen(10, one), seen(20, one), seen(30, other)])
    expect(scans.map(({ accessPoints, timestamp }) => [accessPoints.length, timestamp])).toEqual([
      [2, Date.UTC(2023, 6, 20, 18, 2, 9)],
      [1, Date.UTC(2023, 6, 20, 18, 3, 9)],
    ])
  }
})

it('rows without a time are never joined', () => {
  expect(scansOf(WIGLE, [seen(10, ''), seen(20, ''), seen(30, 'yesterday')])).toHaveLength(3)
})

it('access points of NeoStumbler are observations', () => {
  const read = neostumblerReader(
    'timestamp,latitude,longitude,locationAccuracy,locationAge,speed,macAddress,wifiScanAge,signalStrength,ssid'.split(
      ',',
    ),
  )?.readSighting
  const row = (mac: string) => `1760000000000,48.1,11.5,4.2,10,0,${mac},1321,-67,a`
  expect(scansOf(read, [row('020000000010'), row('020000000020')])).toMatchObject([
    {
      timestamp: 1_760_000_000_000,
      position: { latitude: 48.1, longitude: 11.5, accuracy: 4.2 },
      accessPoints: [{ macAddress: '020000000010', age: 1_321, signalStrength: -67 }, { ssid: 'a' }],
    },
  ])
})

const NEO =
  'timestamp,latitude,longitude,locationAccuracy,locationAge,speed,cellId,radioType,mcc,mnc,lac,psc,signalStrength,asu,cellScanAge'
const TOWER =
  'mcc,mnc,lac,cell_id,short_cell_id,rnc,psc,asu,dbm,ta,lat,lon,altitude,accuracy,speed,bearing,measured_at,net_type,neighboring'

it.each([
  ['NeoStumbler', NEO, '1760000000000,48.1,11.5,4.2,10,0,25600001,LTE,262,1,7001,113,-95,31,20'],
  [
    'TowerCollector',
    TOWER,
    '262,1,7001,25600001,1,100000,113,45,-95,,48.1,11.5,520,4.2,0,,2025-10-09T08:53:20Z,LTE,false',
  ],
])('radio cells of %s are observations', (_, header, row) => {
  const [scan] = scansOf(cellSightings(header.split(',')), [row, row.replace('25600001', '25600002')])
  expect(scan).toMatchObject({
    timestamp: 1_760_000_000_000,
    position: { latitude: 48.1, longitude: 11.5, accuracy: 4.2 },
    said: {
      cellTowers: [
        {
          ...{ radioType: 'lte', mobileCountryCode: 262, mobileNetworkCode: 1, locationAreaCode: 7_001 },
          ...{ cellId: 25_600_001, signalStrength: -95 },
        },
        { cellId: 25_600_002 },
      ],
    },
  })
})

it('cells without a time are no observations', () => {
  expect(cellSightings('radio,mcc,net,area,cell,unit,lon,lat,range'.split(','))).toBeUndefined()
})
