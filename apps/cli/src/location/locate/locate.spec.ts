import type { Explanation } from '@bearing/contracts/location/lookups/explanation'
import { describe, expect, it } from '@jest/globals'
import type { Answers } from '../../testing/fake-gateway.js'
import { runAgainst as run } from '../../testing/run-against.js'
import { UsageError } from '../../ground/usage-error.js'
import { parseCell } from './parse-cell.js'

const LTE = { radioType: 'lte', mobileCountryCode: 262, mobileNetworkCode: 1, locationAreaCode: 7, cellId: 9 }
const counts = { received: 1, usable: 1, known: 1, used: 1 }
const PLACE = { lat: 48.1, lon: 11.5, uncertainty: 23.4 }
const WIFI = { ...PLACE, fulfilledWith: 'WIFI' as const, accessPoints: counts }
const SCAN = { accessPoints: [{ macAddress: '00:1a:2b:3c:4d:5e', signalStrength: -60 }] }

describe('--cell', () => {
  it('is a radio, a cell, and a signal strength or none', () => {
    expect(parseCell('lte:262-1-7-9')).toEqual(LTE)
    expect(parseCell('LTE:262-01-7-9:-101')).toEqual({ ...LTE, signalStrength: -101 })
    expect(parseCell('nr:262-1-7-68719476735')).toMatchObject({ newRadioCellId: 68_719_476_735 })
  })

  it.each(['', 'lte:262-1-7', 'lte:0-1-7-9', 'gsm:262-1-7-70000', '5g:262-1-7-9', 'lte:262-1-7-9:101'])(
    'is refused where it is "%s"',
    (text) => {
      expect(() => parseCell(text)).toThrow(UsageError)
    },
  )

  it('locates by cells, and with --ap by both', async () => {
    const asked: unknown[] = []
    const answers: Answers = {
      resolveCellLocation: ({ cellTowers }) => {
        asked.push(cellTowers)
        return { ...PLACE, fulfilledWith: 'SCELL', cells: counts }
      },
      resolveGroundFix: ({ accessPoints, cellTowers }) => {
        asked.push([accessPoints?.length, cellTowers?.length])
        return { ...WIFI, cells: counts }
      },
    }
    const cells = await run(answers, ['locate', '--cell', 'lte:262-1-7-9:-101'])
    expect(cells).toMatchObject({ code: 0 })
    expect(cells.stdout).toMatch(/Cells +1 of 1 used/)
    await run(answers, ['locate', '--cell', 'lte:262-1-7-9', '--ap', '00:1a:2b:3c:4d:5e=-60'])
    expect(asked).toEqual([[expect.objectContaining({ cellId: 9 })], [1, 1]])
  })
})

it('locate --device says how positions are stored if the project stores none', async () => {
  let stored = false
  const answers: Answers = { resolveWifiLocation: () => ({ ...WIFI, stored }) }
  const args = ['locate', '--device', 'D-1', '--ap', '00:1a:2b:3c:4d:5e=-60']
  expect((await run(answers, args)).stderr).toContain('bearing positions policy set --store yes')
  stored = true
  expect((await run(answers, args)).stderr).toBe('')
})

describe('a file', () => {
  it('of Wi-Fi scans is sent in batches of 100, in order', async () => {
    const sizes: number[] = []
    const answers: Answers = {
      resolveWifiBatch: ({ scans }) => {
        sizes.push(scans.length)
        return { results: scans.map(({ data }) => ({ location: { ...WIFI, lat: Number(data?.device_id) } })) }
      },
    }
    const stdin = Array.from({ length: 250 }, (_, n) =>
      JSON.stringify({ ...SCAN, device_id: String(n % 90) }),
    ).join('\n')
    const { code, stdout } = await run(answers, ['locate', '-', '--json'], { stdin })
    expect({ code, sizes: sizes.sort() }).toEqual({ code: 0, sizes: [100, 100, 50] })
    const rows = JSON.parse(stdout) as { scan: number; lat: number }[]
    expect(rows.map(({ scan, lat }) => [scan, lat])).toEqual(
      Array.from({ length: 250 }, (_, n) => [n + 1, n % 90]),
    )
  })

  it('may have requests of modems with cells, which are sent as they are', async () => {
    const asked: unknown[] = []
    const answers: Answers = {
      resolveWifiBatch: ({ scans }) => ({ results: scans.map(() => ({ location: WIFI })) }),
      resolveGroundFix: ({ lte, wifi, reply }) => {
        asked.push({ lte, wifi, reply })
        return { ...PLACE, fulfilledWith: 'SCELL', accessPoints: counts, cells: counts }
      },
    }
    const lte = [{ mcc: 262, mnc: 1, tac: 7, eci: 9, rsrp: -101 }]
    const stdin = [{ lte, wifi: { accessPoints: [] }, reply: false }, SCAN].map((one) => JSON.stringify(one))
    const { code, stdout } = await run(answers, ['locate', '-'], { stdin: stdin.join('\n') })
    expect(code).toBe(0)
    expect(stdout).toContain('SCELL')
    expect(asked).toMatchObject([{ lte: [{ eci: 9 }], reply: true }])
  })

  it('sends those scans of a batch again that the server had no time for', async () => {
    let calls = 0
    const answers: Answers = {
      resolveWifiBatch: ({ scans }) => ({
        results: scans.map((_, index) =>
          calls++ < 2 && index === 1
            ? { error: { code: 'deadline_exceeded', detail: 'Later.', retry_after: 0 } }
            : { location: WIFI },
        ),
      }),
    }
    const stdin = JSON.stringify([SCAN, SCAN, SCAN])
    const { code, requests } = await run(answers, ['locate', '-'], { stdin })
    expect({ code, requests: requests.length }).toEqual({ code: 0, requests: 2 })
  })
})

describe('--explain', () => {
  const near = (lat: number) => ({
    ...{
      lat,
      lon: 11.5,
      distance: 11.1,
      spread: 5,
      observations: 3,
      learned: true,
      residual: 9.6,
      expected: 14,
    },
  })
  const explained: Explanation = {
    position: { ...PLACE, fulfilledWith: 'WIFI' },
    radii: { p68: 23.4, p95: 61 },
    sources: [
      { source: 'wifi', outcome: 'found' },
      { source: 'cell', outcome: 'not_asked' },
      { source: 'fallback', outcome: 'not_asked' },
    ],
    counts: { accessPoints: { ...counts, received: 3 }, cells: { ...counts, received: 0 } },
    accessPoints: [
      ['used', near(48.1001)] as const,
      ['not_own', undefined] as const,
      ['elsewhere', near(49)] as const,
    ].map(([outcome, own]) => ({
      ...{ macAddress: '00:1a:2b:3c:4d:5e', signalStrength: -60, locallyAdministered: false, outcome },
      ...(own && { own }),
    })),
    cells: [],
    shared: { accessPoints: { known: 2, used: 2 }, cells: { known: 0, used: 0 } },
  }

  it('shows what a position comes from, and a picture', async () => {
    const answers: Answers = { explainLocation: () => explained }
    const { code, stdout } = await run(answers, ['locate', '--explain', '--ap', '00:1a:2b:3c:4d:5e=-60'])
    expect(code).toBe(0)
    for (const text of [
      '23 m in 68 %, 61 m in 95 %',
      'wifi found → cell not asked',
      'not one of your own',
      '10 m',
    ])
      expect(stdout).toContain(text)
    const [, picture = ''] = stdout.split('Expected'.toUpperCase())
    expect(picture).toMatch(/^ +·* *A/m)
    expect(picture).toContain('+')
    // Access points far away would make the rest one dot.
    expect(picture.split('\n').filter((line) => line.trim() === 'C')).toEqual([])
    const json = await run(answers, ['locate', '--explain', '-', '--json'], { stdin: JSON.stringify(SCAN) })
    expect(JSON.parse(json.stdout)).toEqual(explained)
  })

  it('says why there is no position, and takes one scan', async () => {
    const answers: Answers = {
      explainLocation: () => ({
        ...{ ...explained, position: null, radii: null, shared: null },
        error: { code: 'location_not_found', detail: 'Nothing is known.' },
      }),
    }
    const none = await run(answers, ['locate', '--explain', '--cell', 'lte:262-1-7-9'])
    expect(none).toMatchObject({ code: 1 })
    expect(none.stderr).toContain('Nothing is known.')
    const stdin = JSON.stringify([SCAN, SCAN])
    expect(await run(answers, ['locate', '--explain', '-'], { stdin })).toMatchObject({
      code: 2,
      requests: [],
    })
  })
})
