import { Readable } from 'node:stream'
import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { UnusableFileError } from '../unusable-file-error.js'
import type { Reading, ReadRow } from './check-row.js'
import { openFormat, OPENING_LENGTH } from './formats.js'
import { geojsonReader } from './geojson.js'
import { geosubmitReader } from './geosubmit.js'
import { readAccessPoints } from './read-access-points.js'

const BSSID = 0x001a2b3c4d5e
const MAC = '00:1a:2b:3c:4d:5e'

/** Reads a file as the import does, in pieces of any size; what was read of it where it is damaged. */
async function readAll(content: string | Buffer, pieceBytes = 1_000): Promise<Reading[]> {
  const bytes = Buffer.from(content)
  const chunks = Array.from({ length: Math.ceil(bytes.length / pieceBytes) }, (_, index) =>
    bytes.subarray(index * pieceBytes, (index + 1) * pieceBytes),
  )
  const opened = openFormat(bytes.toString('utf8', 0, OPENING_LENGTH).replace(/^\ufeff/, ''))
  if (!opened) throw new Error('not understood')
  const readings: Reading[] = []
  try {
    for await (const some of readAccessPoints(opened, Readable.from(chunks), 'x'))
      readings.push(...some.map(({ reading }) => reading))
  } catch (error) {
    if (!(error instanceof UnusableFileError)) throw error
  }
  return readings.filter((reading) => reading !== undefined)
}

const NEOSTUMBLER =
  'timestamp,latitude,longitude,locationAccuracy,altitude,altitudeAccuracy,locationAge,speed,pressure,macAddress,wifiScanAge,signalStrength,ssid'
const MLS =
  'mac,lat,lon,max_lat,min_lat,max_lon,min_lon,radius,region,samples,source,weight,created,modified,last_seen,block_first,block_last,block_count'
const feature = (properties: object, coordinates: unknown = [11.5, 48.1]) => ({
  type: 'Feature',
  geometry: { type: 'Point', coordinates },
  properties,
})
const collection = (...features: unknown[]) => JSON.stringify({ type: 'FeatureCollection', features })
const report = (accessPoint: object, position: object = { latitude: 48.1, longitude: 11.5 }) =>
  JSON.stringify({ timestamp: 0, position, wifiAccessPoints: [{ macAddress: MAC, ...accessPoint }] })

describe('a file is understood by its content:', () => {
  it.each<[string, string, Reading[]]>([
    [
      'stations of the Mozilla kind',
      `${MLS}\n001a2b3c4d5e,48.1,11.5,48.2,48.0,11.6,11.4,120,DE,17,0,17.5,1400000000,1500000000,1500000000,,,0\n001a2b3c4d5f,,,,,,,0,,0,,0,,,,1,2,3\n`,
      [[BSSID, 48.1, 11.5, null], 'bad_coordinates'],
    ],
    [
      'observations of NeoStumbler',
      `${NEOSTUMBLER}\n0,48.1,11.5,5.2,,,10,0,,${MAC},20,-67,"a, ""b"""\n0,48.1,11.5,900,,,10,0,,${MAC},20,-67,b\n0,48.1,11.5,5,,,10,0,,${MAC},20,-67,b_nomap\n`,
      [[BSSID, 48.1, 11.5, -67], 'inaccurate', 'opted_out'],
    ],
    [
      'geosubmit JSON lines',
      `${report({ signalStrength: -67 })}\n\n${report({ ssid: 'x_nomap' })}\n${report({}, { latitude: 0, longitude: 0 })}\n${report({}, { latitude: 1, longitude: 1, accuracy: 201 })}\n{"open\n[]\n`,
      [[BSSID, 48.1, 11.5, -67], 'opted_out', 'bad_coordinates', 'inaccurate', 'malformed', 'malformed'],
    ],
    [
      'geosubmit with many reports in one object',
      JSON.stringify({ items: [JSON.parse(report({})), null, { position: {}, wifiAccessPoints: 1 }] }),
      [[BSSID, 48.1, 11.5, null], 'malformed', 'malformed'],
    ],
    [
      'a GeoJSON collection',
      JSON.stringify({
        type: 'FeatureCollection',
        bbox: [1, 2, 3, 4],
        features: [
          feature({ bssid: MAC, note: 'a } ] \\ " {' }),
          feature({ mac: MAC, ssid: 'x_optout' }),
          feature({ macAddress: 'x' }),
          feature({ netid: MAC }, [181, 48]),
          { type: 'Feature', geometry: null, properties: { bssid: MAC } },
        ],
        more: [{ type: 'Feature' }],
      }),
      [[BSSID, 48.1, 11.5, null], 'opted_out', 'unusable_mac', 'bad_coordinates', 'malformed'],
    ],
    [
      'a GeoJSON collection that was printed for people',
      JSON.stringify({ type: 'FeatureCollection', features: [feature({ bssid: MAC })] }, null, 2),
      [[BSSID, 48.1, 11.5, null]],
    ],
    [
      'a GeoJSON collection whose first line says nothing of that',
      `{ "name": "features",\n"type": "FeatureCollection",\n"features": [\n${JSON.stringify(feature({ bssid: MAC }))}\n]\n}\n`,
      [[BSSID, 48.1, 11.5, null]],
    ],
    [
      'several GeoJSON collections, one behind the other, and what is between their features',
      `${collection(feature({ bssid: MAC }))}\n${collection(feature({ mac: 'x' }), 7, feature({ mac: MAC }))}{"type":"Feature"}`,
      [[BSSID, 48.1, 11.5, null], 'unusable_mac', 'malformed', [BSSID, 48.1, 11.5, null], 'malformed'],
    ],
    [
      'geosubmit that was printed for people',
      `${JSON.stringify({ note: ['features'], items: [JSON.parse(report({})), JSON.parse(report({ ssid: 'x_nomap' }))] }, null, 2)}\n${JSON.stringify(JSON.parse(report({})), null, 2)}`,
      [[BSSID, 48.1, 11.5, null], 'opted_out', [BSSID, 48.1, 11.5, null]],
    ],
    [
      'geosubmit of a network that is called as GeoJSON is',
      `${report({ ssid: 'features' })}\n`,
      [[BSSID, 48.1, 11.5, null]],
    ],
    [
      'beacons of NeoStumbler, which are no Wi-Fi',
      `${NEOSTUMBLER.replace('wifiScanAge,signalStrength,ssid', 'beaconType,id1,id2,id3,bluetoothScanAge,signalStrength')}\n0,48.1,11.5,5.2,,,10,0,,${MAC},533,a,b,c,20,-67\n`,
      ['not_wifi'],
    ],
    [
      'GeoJSON in lines, with separators',
      `\u001e${JSON.stringify(feature({ bssid: MAC }))}\n\u001e${JSON.stringify(feature({ bssid: MAC }, ['48', null]))}\n`,
      [[BSSID, 48.1, 11.5, null], 'bad_coordinates'],
    ],
  ])('%s', async (_, content, readings) => {
    expect(await readAll(content)).toEqual(readings)
    expect(await readAll(content, 7)).toEqual(readings)
    expect(await readAll(`\ufeff${content.replaceAll('\n', '\r\n')}`, 13)).toEqual(readings)
  })
})

describe('positions that are none are skipped:', () => {
  const places = ['NaN', 'Infinity', '-Infinity', 'Inf', '-Inf', '', '1e400', '90.1', '0x', '1,1']
  it.each(places)('a latitude of %j', async (lat) => {
    expect(await readAll(`mac,lat,lon\n${MAC},"${lat}",11\n`)).toEqual(['bad_coordinates'])
    const row = `0,"${lat}",11,5,,,1,0,,${MAC},20,-67,x`
    expect(await readAll(`${NEOSTUMBLER}\n${row}\n`)).toEqual(['bad_coordinates'])
    expect(
      geosubmitReader('lines').readAll(JSON.parse(report({}, { latitude: lat, longitude: 11 }))),
    ).toEqual(['bad_coordinates'])
    expect(geojsonReader('lines').readAll(feature({ mac: MAC }, [11, lat]))).toEqual(['bad_coordinates'])
  })
})

it('a quote that never ends costs its row and those that begin within 128 bytes, and none after them', async () => {
  const row = (name: string) => `0,48.1,11.5,5,,,1,0,,${MAC},20,-67,${name}\n`
  const read = await readAll(`${NEOSTUMBLER}\n${row('"open')}${row('a').repeat(500)}`)
  expect(read.slice(0, 4)).toEqual(Array(4).fill('malformed'))
  expect(read.slice(4)).toEqual(Array(497).fill([BSSID, 48.1, 11.5, -67]))
  expect(read).toHaveLength(501)
})

it('names in any encoding do not cost their row', async () => {
  const name = Buffer.from([0xff, 0xfe, 0x80, 0xc3, 0x28])
  const line = Buffer.concat([Buffer.from(`0,48.1,11.5,5,,,1,0,,${MAC},20,-67,`), name, Buffer.from('\n')])
  expect(await readAll(Buffer.concat([Buffer.from(`${NEOSTUMBLER}\n`), line]))).toEqual([
    [BSSID, 48.1, 11.5, -67],
  ])
})

const isRow = (reading: Reading): reading is ReadRow => typeof reading === 'object'

it('files of anything never throw, and give rows that can be sent or reasons', async () => {
  const pieces = fc.constantFrom(
    ...['{', '}', '[', ']', '"', '\\', ',', ':', '\n', '\r\n', MAC, 'mac,lat,lon\n', `${NEOSTUMBLER}\n`],
    ...['"features":[', '"type":"Feature"', '48.1', '-181', 'null', 'NaN', '\u0000', 'é', '_nomap', '\ufeff'],
    report({}),
    JSON.stringify(feature({ mac: MAC })),
  )
  const start = fc.constantFrom(
    'mac,lat,lon\n',
    `${NEOSTUMBLER}\n`,
    '{"items":',
    '{"type":"FeatureCollection","features":[',
  )
  await fc.assert(
    fc.asyncProperty(
      start,
      fc.array(pieces, { maxLength: 30 }),
      fc.integer({ min: 1, max: 50 }),
      async (head, rest, size) => {
        for (const reading of await readAll(head + rest.join(''), size)) {
          if (!isRow(reading)) continue
          const [bssid, lat, lon] = reading
          expect(bssid).toBe(BSSID)
          expect(Math.abs(lat)).toBeLessThanOrEqual(90)
          expect(Math.abs(lon)).toBeLessThanOrEqual(180)
        }
      },
    ),
    { numRuns: 300 },
  )
})
