import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { fieldsOf } from '../csv/read-csv.js'
import { openFormat } from './formats.js'
import { wigleReader } from './wigle.js'

const V14 =
  'MAC,SSID,AuthMode,FirstSeen,Channel,RSSI,CurrentLatitude,CurrentLongitude,AltitudeMeters,AccuracyMeters,Type'
const V16 =
  'MAC,SSID,AuthMode,FirstSeen,Channel,Frequency,RSSI,CurrentLatitude,CurrentLongitude,AltitudeMeters,AccuracyMeters,RCOIs,MfgrId,Type'

/** Reads lines one by one, as a file is read. */
function reader(header: string) {
  const made = wigleReader(header.split(','))
  if (!made) throw new Error('the header is one')
  const fields = (line: string) => fieldsOf(line) ?? line.split(',')
  return {
    read: (line: string) => made.read(fields(line)),
    readSighting: (line: string) => made.readSighting?.(fields(line)),
  }
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
  it.each([
    ['of any version', `WigleWifi-1.0\n${V14}\n`],
    ['of the latest', `WigleWifi-1.6,appRelease=2.90\n${V16}\n`],
    ['in quotes', `"WigleWifi-1.6","appRelease=1"\n${V16.replaceAll(/[^,]+/g, '"$&"')}\n`],
    ['with comments', `# one\nWigleWifi-1.4\n# two\n${V14}\n`],
    ['of which the first line is missing', `${V14}\n`],
  ])('is known by its first lines: %s', (_, text) => {
    expect(openFormat(text)?.isFound).toBe(true)
    expect(openFormat(text)?.reader.content).toBe('observations')
  })

  it('is none without columns that are needed, and with other separators', () => {
    for (const text of ['WigleWifi-1.4\n', 'wigle\n', `WigleWifi-1.4\n${V14.replaceAll(',', ';')}\n`])
      expect(openFormat(text)).toBeUndefined()
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
    expect(wigleReader('MAC,SSID,CurrentLatitude'.split(','))).toBeUndefined()
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

describe('a row has the columns of the header whose length it has', () => {
  const BLUETOOTH =
    'MAC,Name,RSSI,FirstSeen,CurrentLatitude,CurrentLongitude,AltitudeMeters,AccuracyMeters,Type'
  const V10 = V14.replace(',Type', '')
  const GHOST = V16.replace(',RCOIs,MfgrId', '')
  const AT = '48.137154,11.576124,520'
  const SEEN = '00:1a:2b:3c:4d:5e,Cafe,[ESS],2024-01-01 10:00:00,6'
  const NAMED = SEEN.replace('Cafe', 'Cafe, 2nd, floor')

  it.each<[string, string[], string, unknown]>([
    ['Kismet leaves out the two columns before the type', [V16], `${SEEN},2437,-67,${AT},0,WIFI`, READ],
    ['and not those of Bluetooth', [V16], `${SEEN},,-80,${AT},0,,,BLE`, 'not_wifi'],
    ['nor does it quote names', [V16], `${NAMED},2437,-67,${AT},0,WIFI`, READ],
    [
      'GhostESP has a header for Bluetooth as well',
      [GHOST, BLUETOOTH],
      `${SEEN},2437,-67,${AT},4,WIFI`,
      READ,
    ],
    [
      'with rows of its own',
      [GHOST, BLUETOOTH],
      `00:1a:2b:3c:4d:5e,x,-67,2024-01-01 10:00:00,${AT},4,BLE`,
      'not_wifi',
    ],
    ['old phones write no type', [V10], `${SEEN},-67,${AT},87`, READ],
    ['a comma at the end of rows', [V14], `${SEEN},-67,${AT},4,WIFI,`, READ],
    ['a comma at the end of the header', [`${V14},`], `${SEEN},-67,${AT},4,WIFI`, READ],
    ['and of both', [`${V14},`], `${SEEN},-67,${AT},4,WIFI,,`, READ],
    ['files of two versions', [V14, V16], `${SEEN},-67,${AT},4,WIFI`, READ],
    ['and the other way round', [V16, V14], `${SEEN},2437,-67,${AT},4,,,WIFI`, READ],
    [
      'an ISO time beside a name with commas',
      [V14],
      `${NAMED.replace(' 10:', 'T10:')},-67,${AT},4,WIFI`,
      READ,
    ],
    ['decimal commas', [V14], `${SEEN},-67,48,137154,11,576124,520,4,WIFI`, 'malformed'],
    [
      'decimal commas under more columns',
      [V16],
      `${SEEN},2437,-67,48,137154,11,576124,520,4,,,WIFI`,
      'malformed',
    ],
    ['a row that breaks off', [V16], `${SEEN},2437,-67,48.137154,11.5`, 'malformed'],
  ])('%s', (_, [first = '', ...more], line, expected) => {
    const wigle = reader(first)
    for (const header of more) expect(wigle.read(header)).toBeUndefined()
    expect(wigle.read(line)).toEqual(expected)
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
