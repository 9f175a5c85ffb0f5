import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { allGiven, type LeftOut } from '@bearing/contracts/location/access-points/left-out'
import { OperationError } from '@bearing/contracts/errors'
import type { submitObservations } from '@bearing/contracts/location/observations/observation'
import type { Input } from '@bearing/contracts/operation'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { fakeGateway } from '../../testing/fake-gateway.js'
import { runCli } from '../../testing/run-cli.js'

let folder: string
let received: Exclude<Input<typeof submitObservations>['items'][number], LeftOut>[][]
/** Names of what the gateway was asked about and of what it has. */
let asked: string[][]
let learned: Set<string>
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bearing-spec-'))
  received = []
  asked = []
  learned = new Set()
})
afterEach(() => rm(folder, { recursive: true }))

const report = (more: object = {}, position: object = {}) => ({
  timestamp: 1.7e12,
  position: { latitude: 48.1, longitude: 11.5, accuracy: 8, ...position },
  wifiAccessPoints: [
    { macAddress: '02:00:5e:00:00:11', signalStrength: -61, age: 300, ssid: 'a name' },
    { macAddress: '02:00:5e:00:00:21', signalStrength: -70, ssid: 'x_nomap' },
    // The same network, from a frame without a name.
    { macAddress: '02-00-5E-00-00-21', signalStrength: -68 },
    { macAddress: 'ff:ff:ff:ff:ff:ff', signalStrength: -70 },
    { macAddress: '02:00:5e:00:00:31' },
  ],
  ...more,
})

const NAME = expect.stringMatching(/^[\w-]{22}$/) as unknown as string

async function submitting(
  content: string | Buffer,
  args: string[] = [],
  { stdin = false, failures = 0, until = Infinity } = {},
) {
  let left = failures
  await using gateway = await fakeGateway({
    findObservations: ({ ids }) => {
      asked.push(ids)
      return { known: ids.map((id) => learned.has(id)) }
    },
    submitObservations: (submission) => {
      const items = allGiven(submission.items)
      if (left-- > 0) throw new OperationError('overloaded', 'Busy.', { retry_after: 0 })
      received.push(items)
      for (const { id } of items) learned.add(id ?? '')
      if (received.length === until) throw new OperationError('permission_denied', 'The connection is gone.')
      return { accepted: items.length, ignored: 0 }
    },
  })
  const path = join(folder, 'scans.jsonl')
  if (!stdin) await writeFile(path, content)
  const environment = {
    ...{ BEARING_URL: gateway.url, BEARING_ORG_TOKEN: 'T', BEARING_ORG: 'acme', BEARING_PROJECT: 'tags' },
    TMPDIR: folder,
  }
  const ran = await runCli(['observations', 'submit', stdin ? '-' : path, ...args], {
    environment,
    stdin: stdin ? content : '',
  })
  return { ...ran, requests: gateway.requests }
}

describe('a submission', () => {
  it('sends what can be learned from, and no name of a network', async () => {
    const lines = [
      report({ id: 'first', device_id: 'münchen' }),
      { items: [report({}, { speed: 1.5, age: 200 }), report({ wifiAccessPoints: [] })] },
      report({
        wifiAccessPoints: [],
        cellTowers: [
          {
            ...{ mobileCountryCode: 262, mobileNetworkCode: 1, locationAreaCode: 7, cellId: 9 },
            age: 5,
            asu: 3,
          },
          { radioType: 'cdma', mobileCountryCode: 262, mobileNetworkCode: 1, locationAreaCode: 7, cellId: 9 },
          { radioType: 'lte', mobileCountryCode: 262 },
          'no cell',
        ],
      }),
      report({}, { accuracy: 900 }),
      report({}, { latitude: 0, longitude: 0 }),
      report({ timestamp: 1.7e9 }),
      'not JSON',
    ].map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
    const { code, stdout } = await submitting(gzipSync(lines.join('\n')), ['--device', 'van', '--json'])
    expect(code).toBe(0)
    const heard = [{ macAddress: 0x02_00_5e_00_00_11, signalStrength: -61, age: 300 }]
    const at = { latitude: 48.1, longitude: 11.5, accuracy: 8 }
    const cellTowers = [
      {
        radioType: 'lte',
        mobileCountryCode: 262,
        mobileNetworkCode: 1,
        locationAreaCode: 7,
        cellId: 9,
        age: 5,
      },
    ]
    expect(received).toEqual([
      [
        { id: 'first', device_id: 'münchen', timestamp: 1.7e12, position: at, wifiAccessPoints: heard },
        {
          ...{ id: NAME, device_id: 'van', timestamp: 1.7e12, wifiAccessPoints: heard },
          position: { ...at, speed: 1.5, age: 200 },
        },
        { id: NAME, device_id: 'van', timestamp: 1.7e12, position: at, wifiAccessPoints: [], cellTowers },
      ],
    ])
    expect(JSON.parse(stdout)).toMatchObject([
      {
        ...{ state: 'submitted', observations: 8, already_there: 0, sent: 3, accepted: 3, ignored: 0 },
        left_out: { malformed: 1, bad_coordinates: 1, inaccurate: 1, clock_not_set: 1, nothing_heard: 1 },
        first_lines: { malformed: 7, bad_coordinates: 5, inaccurate: 4, clock_not_set: 6, nothing_heard: 2 },
      },
    ])
  })

  it('has the names that it was given, escaped or not, and none that is no text', async () => {
    const escaped = (name: string) =>
      JSON.stringify(report({ id: name, device_id: name })).replace(
        /[\u0080-\uffff]/g,
        (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
      )
    const names = ['\u4e31', '\u4f31', '1', 'é', '\u{1f6b2}']
    const lines = [
      ...names.map(escaped),
      JSON.stringify(report({ id: 'ü\u4e31', device_id: 'ü' })),
      ...['\xfe', '\xff'].map((byte) => JSON.stringify(report({ id: byte, device_id: byte }))),
      escaped('\ud800'),
    ]
    const bytes = lines.map((line, index) => Buffer.from(line, [6, 7].includes(index) ? 'latin1' : 'utf8'))
    const { code } = await submitting(Buffer.concat(bytes.flatMap((line) => [line, Buffer.from('\n')])))
    expect(code).toBe(0)
    expect(received.flat().map(({ id, device_id }) => [id, device_id])).toEqual([
      ...names.map((name) => [name, name]),
      ['ü\u4e31', 'ü'],
      ...Array.from({ length: 3 }, () => [NAME, undefined]),
    ])
  })

  it('of a WiGLE file has the rows of one second as a scan, with time and accuracy', async () => {
    const row = (
      mac: string,
      second: number,
      dbm: number,
      more: { lat?: number; acc?: number; alt?: number; ssid?: string } = {},
    ) =>
      `${mac},${more.ssid ?? 'Cafe'},[ESS],2024-01-01 10:00:0${String(second)},6,${String(dbm)},${String(more.lat ?? 48.1)},11.5,${String(more.alt ?? 520)},${String(more.acc ?? 8)},WIFI`
    const file = [
      'WigleWifi-1.4,appRelease=2023.1,model=Kismet',
      'MAC,SSID,AuthMode,FirstSeen,Channel,RSSI,CurrentLatitude,CurrentLongitude,AltitudeMeters,AccuracyMeters,Type',
      row('02:00:5e:00:00:11', 0, -61),
      row('02:00:5e:00:00:41', 0, -72, { acc: 4, lat: 48.10001 }),
      row('02:00:5e:00:00:51', 0, -75, { ssid: 'x_nomap' }),
      '02:00:5e:00:00:61,Tag,Misc,2024-01-01 10:00:00,0,-60,48.1,11.5,520,8,BLE',
      row('02:00:5e:00:00:11', 5, -64),
      row('02:00:5e:00:00:41', 5, -70, { lat: 48.2, alt: 0 }),
      row('02:00:5e:00:00:11', 6, -64, { acc: 900 }),
      'no row',
    ].join('\n')
    const { code, stdout } = await submitting(file, ['--device', 'van', '--json'])
    expect(code).toBe(0)
    const [at, second] = [Date.UTC(2024, 0, 1, 10), 1_000]
    const heard = (number: number, signalStrength: number) => ({
      macAddress: 0x02_00_5e_00_00_00 + number,
      signalStrength,
    })
    expect(received.flat()).toEqual([
      {
        ...{ id: NAME, device_id: 'van', timestamp: at },
        position: { latitude: 48.10001, longitude: 11.5, altitude: 520, accuracy: 4 },
        wifiAccessPoints: [heard(0x11, -61), heard(0x41, -72)],
      },
      {
        ...{ id: NAME, device_id: 'van', timestamp: at + 5 * second },
        position: { latitude: 48.1, longitude: 11.5, altitude: 520, accuracy: 8 },
        wifiAccessPoints: [heard(0x11, -64)],
      },
      {
        ...{ id: NAME, device_id: 'van', timestamp: at + 5 * second },
        position: { latitude: 48.2, longitude: 11.5, accuracy: 8 },
        wifiAccessPoints: [heard(0x41, -70)],
      },
    ])
    expect(JSON.parse(stdout)).toMatchObject([
      {
        observations: 5,
        sent: 3,
        left_out: { malformed: 1, inaccurate: 1 },
        first_lines: { malformed: 10, inaccurate: 9 },
      },
    ])
  })

  it('of many goes in parts that a gateway takes, again where it is busy, and from standard input', async () => {
    const many = Array.from({ length: 2_300 }, (_, index) =>
      JSON.stringify(report({ timestamp: 1.7e12 + index })),
    ).join('\n')
    const { code, stdout } = await submitting(many, [], { stdin: true, failures: 2 })
    expect(code).toBe(0)
    expect(received.map(({ length }) => length)).toEqual([1_000, 1_000, 300])
    expect(received.flat().map(({ timestamp }) => timestamp)).toEqual(
      Array.from({ length: 2_300 }, (_, index) => 1.7e12 + index),
    )
    expect(stdout).toMatch(/submitted +2,300 +0 +2,300 +2,300 +0\n/)
    expect(await readdir(folder)).toEqual([])
    const wide = Array.from({ length: 250 }, (_, number) => ({
      macAddress: (0x02_00_00_00_00_00 + number * 256).toString(16).padStart(12, '0'),
      signalStrength: -60,
    }))
    received = []
    await submitting(
      Array.from({ length: 60 }, (_, index) =>
        JSON.stringify(report({ timestamp: 1.7e12 + index, wifiAccessPoints: wide })),
      ).join('\n'),
    )
    expect(received.flat()).toHaveLength(60)
    expect(received.length).toBeGreaterThan(1)
  })

  it('that was interrupted resumes where it stopped, and sends nothing if all was received', async () => {
    const lines = Array.from({ length: 3_300 }, (_, index) =>
      JSON.stringify(report({ timestamp: 1.7e12 + index })),
    )
    expect((await submitting(lines.join('\n'), [], { until: 2 })).code).not.toBe(0)
    received = []
    asked = []
    const { stdout, stderr } = await submitting(lines.join('\n'))
    // Asked about until something is missing, and then no more.
    expect(asked.map(({ length }) => length)).toEqual([1_000, 1_000, 1_000])
    expect(received.map(([first]) => first?.timestamp)).toEqual([1.7e12 + 2_000, 1.7e12 + 3_000])
    expect(stdout).toMatch(/submitted +3,300 +2,000 +1,300 +1,300 +0\n/)
    expect(stderr).toContain('submitted')
    received = []
    const again = await submitting(lines.join('\n'))
    expect(received).toEqual([])
    expect(again.stdout).toMatch(/submitted +3,300 +3,300 +0 +0 +0\n/)
    expect(again.stderr).toContain('already submitted')
    // A file that has grown: what is new is sent with the scans that it follows.
    await submitting([...lines, JSON.stringify(report({ timestamp: 1.8e12 }))].join('\n'))
    expect(received.map(({ length }) => length)).toEqual([301])
  })

  it('that is tried talks to nobody', async () => {
    const { code, stdout, requests } = await submitting(JSON.stringify(report()), ['--dry-run'])
    expect({ code, requests }).toEqual({ code: 0, requests: [] })
    expect(stdout).toMatch(/dry run +1 +0 +1 +– +–\n/)
  })

  it.each([
    ['a list of positions', 'bssid,lat,lon\n02:00:00:00:00:01,48,11\n', 'no complete observations'],
    ['no report at all', '{"items":[]}', 'It contains no observations.'],
    [
      'nothing that can be used',
      JSON.stringify(report({ wifiAccessPoints: [] })),
      '1 (nothing_heard, first in line ',
    ],
  ])('of %s is refused', async (_, content, said) => {
    const { code, stderr } = await submitting(content)
    expect(code).toBe(2)
    expect(stderr).toContain(said)
    expect(received).toEqual([])
  })
})
