import { describe, expect, it } from '@jest/globals'
import { UsageError } from '../../ground/usage-error.js'
import { parseAccessPoint, parseScans } from './parse-scans.js'

const one = { macAddress: '00:1a:2b:3c:4d:5e', signalStrength: -67 }
const two = { macAddress: '001a.2b3c.4d60', signalStrength: -71 }

describe('--ap', () => {
  it('is a MAC address in any notation and a strength', () => {
    expect(parseAccessPoint('00:1a:2b:3c:4d:5e=-67')).toEqual(one)
    expect(parseAccessPoint('001a.2b3c.4d60=-71')).toEqual(two)
    expect(parseAccessPoint('00-1A-2B-3C-4D-5E=-67.5').signalStrength).toBe(-67.5)
  })

  it('may have the milliseconds since it was received', () => {
    expect(parseAccessPoint('00:1a:2b:3c:4d:5e=-67@1500')).toEqual({ ...one, age: 1_500 })
  })

  it('may have a measured distance in meters', () => {
    expect(parseAccessPoint('00:1a:2b:3c:4d:5e=-67,4.25')).toEqual({ ...one, distance: 4.25 })
    expect(parseAccessPoint('00:1a:2b:3c:4d:5e=-67@1500,-0.3')).toEqual({
      ...one,
      age: 1_500,
      distance: -0.3,
    })
  })

  it('may do without the strength', () => {
    expect(parseAccessPoint('00:1a:2b:3c:4d:5e')).toEqual({ macAddress: '00:1a:2b:3c:4d:5e' })
  })

  it.each([
    '',
    '=',
    'x=-67',
    '00:1a:2b:3c:4d:5e=',
    '00:1a:2b:3c:4d:5e=x',
    '00:1a:2b:3c:4d:5e=-6=7',
    '-67=00:1a:2b:3c:4d:5e',
    '00:1a:2b:3c:4d:5e=-67@',
    '00:1a:2b:3c:4d:5e=-67@2s',
    '00:1a:2b:3c:4d:5e=-67@1@2',
    '00:1a:2b:3c:4d:5e=@1500',
    '00:1a:2b:3c:4d:5e=-67,',
    '00:1a:2b:3c:4d:5e=-67,4m',
    '00:1a:2b:3c:4d:5e=-67,4,5',
    '00:1a:2b:3c:4d:5e=-67,4@1500',
  ])('is refused where it is "%s"', (text) => {
    expect(() => parseAccessPoint(text)).toThrow(UsageError)
  })
})

describe('a file of scans', () => {
  const scan = { accessPoints: [one, two] }

  it.each([
    ['an object with accessPoints', JSON.stringify({ lat: 1, ...scan }, null, 2), 1],
    ['an array of access points', JSON.stringify([one, two]), 1],
    ['an array of scans', JSON.stringify([scan, [one, two]]), 2],
    ['an object behind a byte order mark', `\ufeff${JSON.stringify(scan)}`, 1],
    ['JSON lines', `${JSON.stringify(scan)}\n\n${JSON.stringify([one, two])}\r\n`, 2],
  ])('may be %s', (_, text, count) => {
    expect(parseScans(text)).toEqual(Array.from({ length: count }, () => scan))
  })

  it('keeps what says how old a reading is, and who opted out', () => {
    const readings = [{ ...one, ssid: 'Home_nomap', age: 3_000 }, two]
    expect(parseScans(JSON.stringify({ accessPoints: readings }))).toEqual([{ accessPoints: readings }])
  })

  it('keeps measured distances', () => {
    const readings = [{ ...one, distance: 4.2, distanceStandardDeviation: 0.3 }, two]
    expect(parseScans(JSON.stringify({ accessPoints: readings }))).toEqual([{ accessPoints: readings }])
  })

  it('keeps previous scans, and what they are', () => {
    const sent = { ...scan, previousScans: [{ age: 15_000, accessPoints: [{ ...two, age: 300 }] }] }
    expect(parseScans(JSON.stringify(sent))).toEqual([sent])
    for (const previousScans of [
      {},
      [{ age: 1 }],
      [{ accessPoints: [one] }],
      [{ age: 1, accessPoints: [{}] }],
    ])
      expect(() => parseScans(JSON.stringify({ ...scan, previousScans }))).toThrow(UsageError)
  })

  it('keeps its other scans where one is broken', () => {
    const scans = parseScans(`${JSON.stringify(scan)}\n{"accessPoints":\n{"x":1}\n[{"macAddress":7}]\n`)
    expect(scans.map((found) => 'mistake' in found)).toEqual([false, true, true, true])
  })

  it.each(['', 'bssid,lat,lon', '{}', '[1]', 'null'])('is refused where it is "%s"', (text) => {
    expect(() => parseScans(text)).toThrow(UsageError)
  })
})
