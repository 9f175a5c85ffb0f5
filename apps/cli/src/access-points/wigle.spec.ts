import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { RowReader } from '@bearing/client/access-point-files/row-reader'
import { isWigleHeader, wigleReader } from '@bearing/client/access-point-files/wigle'

const V14 =
  'MAC,SSID,AuthMode,FirstSeen,Channel,RSSI,CurrentLatitude,CurrentLongitude,AltitudeMeters,AccuracyMeters,Type'
const V16 =
  'MAC,SSID,AuthMode,FirstSeen,Channel,Frequency,RSSI,CurrentLatitude,CurrentLongitude,AltitudeMeters,AccuracyMeters,RCOIs,MfgrId,Type'

function reader(header: string): RowReader {
  const made = wigleReader(header)
  if (!made) throw new Error('the header is one')
  return made
}

interface Cells {
  mac?: string
  ssid?: string
  rssi?: string | number
  lat?: string | number
  lon?: string | number
  accuracy?: string | number
  type?: string
}

/** A row of version 1.4. */
function row({
  mac = '00:1A:2b:3c:4d:5e',
  ssid = 'Cafe',
  rssi = -67,
  lat = 48.137154,
  lon = 11.576124,
  accuracy = 4,
  type = 'WIFI',
}: Cells): string {
  return `${mac},${ssid},[WPA2-PSK-CCMP][ESS],2024-01-01 10:00:00,6,${String(rssi)},${String(lat)},${String(lon)},520,${String(accuracy)},${type}`
}

const READ = [0x001a2b3c4d5e, 48.137154, 11.576124, -67]

describe('a WiGLE file', () => {
  it('is known by its first line', () => {
    expect(['WigleWifi-1.4,appRelease=2.0', 'WigleWifi-1.6,x', 'WigleWifi-2.0'].map(isWigleHeader)).toEqual([
      true,
      true,
      true,
    ])
    expect(['WigleWifi-1.3,x', 'MAC,SSID', '', 'wigle'].map(isWigleHeader)).toEqual([
      false,
      false,
      false,
      false,
    ])
  })

  it('is read by the names of its columns', () => {
    expect(reader(V14).read(row({}))).toEqual(READ)
    const of16 =
      '00:1a:2b:3c:4d:5e,Cafe,[ESS],2024-01-01 10:00:00,6,2437,-67,48.137154,11.576124,520,4,,,WIFI'
    expect(reader(V16).read(of16)).toEqual(READ)
    expect(reader('currentlongitude,currentlatitude,mac').read('11.5,48.1,001a2b3c4d5e')).toEqual([
      0x001a2b3c4d5e,
      48.1,
      11.5,
      null,
    ])
  })

  it('without the columns that are needed is refused', () => {
    expect(wigleReader('MAC,SSID,CurrentLatitude')).toBeUndefined()
  })

  it('may consist of several, with other columns', () => {
    const wigle = reader(V14)
    expect(wigle.read('WigleWifi-1.6,appRelease=1')).toBeUndefined()
    expect(wigle.read(V16)).toBeUndefined()
    expect(
      wigle.read(
        '00:1a:2b:3c:4d:5e,Cafe,[ESS],2024-01-01 10:00:00,6,2437,-67,48.137154,11.576124,520,4,,,WIFI',
      ),
    ).toEqual(READ)
  })
})

describe('a row is skipped', () => {
  it.each<[string, Cells]>([
    ['not_wifi', { type: 'BLE' }],
    ['not_wifi', { type: '' }],
    ['unusable_mac', { mac: 'ff:ff:ff:ff:ff:ff' }],
    ['unusable_mac', { mac: '01:00:5e:00:00:01' }],
    ['unusable_mac', { mac: '00:00:00:00:00:00' }],
    ['unusable_mac', { mac: '310_260_1' }],
    ['opted_out', { ssid: 'Home_nomap' }],
    ['opted_out', { ssid: '"Home, sweet_NOMAP"' }],
    ['opted_out', { ssid: 'x_optout_y' }],
    ['bad_coordinates', { lat: 0, lon: 0 }],
    ['bad_coordinates', { lat: 'NaN' }],
    ['bad_coordinates', { lat: 'Infinity' }],
    ['bad_coordinates', { lat: 'Inf' }],
    ['bad_coordinates', { lon: '' }],
    ['bad_coordinates', { lat: 90.1 }],
    ['bad_coordinates', { lon: -180.1 }],
    ['inaccurate', { accuracy: 200.1 }],
    ['inaccurate', { accuracy: 'Infinity' }],
  ])('as %s: %j', (reason, cells) => {
    expect(reader(V14).read(row(cells))).toBe(reason)
  })

  it('as malformed where fields are missing', () => {
    expect(reader(V14).read('00:1a:2b:3c:4d:5e,Cafe,[ESS]')).toBe('malformed')
  })
})

it('what is not known of a row does not cost it', () => {
  expect(reader(V14).read(row({ accuracy: '' }))).toEqual(READ)
  expect(reader(V14).read(row({ accuracy: 200 }))).toEqual(READ)
  for (const rssi of ['', '0', '10', '-999', 'x'])
    expect(reader(V14).read(row({ rssi }))).toEqual([...READ.slice(0, 3), null])
})

describe('a network name', () => {
  const nameless = (text: string) => text.replace(/[\r\n]/g, ' ')
  const optedOut = (text: string) => /_nomap|_optout/i.test(text)

  it('never changes anything else of its row, properly quoted', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 32 }).map(nameless), (name) => {
        fc.pre(!optedOut(name))
        expect(reader(V14).read(row({ ssid: `"${name.replaceAll('"', '""')}"` }))).toEqual(READ)
      }),
    )
  })

  it('never changes anything else of its row, written as it is', () => {
    const troublesome = fc.string({
      unit: fc.constantFrom('"', ',', 'a', ' ', '[', '2024-01-01'),
      maxLength: 12,
    })
    fc.assert(
      fc.property(troublesome, (name) => {
        const reading = reader(V14).read(row({ ssid: name }))
        // Lost at worst, and never mixed up.
        if (reading !== 'malformed') expect(reading).toEqual(READ)
      }),
      { numRuns: 2_000 },
    )
    expect(reader(V14).read(row({ ssid: '"open' }))).toEqual(READ)
    expect(reader(V14).read(row({ ssid: 'a, "b", c' }))).toEqual(READ)
  })
})

it('a line of anything never throws, and gives a row that can be sent or none', () => {
  const wigle = reader(V14)
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc
          .array(fc.string({ maxLength: 12 }), { minLength: 11, maxLength: 11 })
          .map((cells) => cells.join(',')),
      ),
      (line) => {
        const reading = wigle.read(line)
        if (!Array.isArray(reading)) return
        expect(reading[0]).toBeGreaterThan(0)
      },
    ),
  )
})
