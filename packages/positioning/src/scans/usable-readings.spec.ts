import { describe, expect, it } from '@jest/globals'
import { usableReadings } from './usable-readings.js'

const BSSID = 0x02_00_00_00_00_10

it('leaves out networks whose owners opted out, in every spelling', () => {
  for (const networkName of [
    'Home_nomap',
    'HOME_NOMAP',
    'my_optout_net',
    'x_nomap ',
    '"x_nomap"',
    'x_nomap\0\0',
  ])
    expect(usableReadings([{ bssid: BSSID, networkName }]).size).toBe(0)
  for (const networkName of ['Home', 'nomap', '_nomap_', '', null, undefined])
    expect(usableReadings([{ bssid: BSSID, networkName }]).size).toBe(1)
})

it('leaves out an address that opted out altogether, also where the scan has it once more without its name', () => {
  const other = { bssid: BSSID + 16, networkName: 'Home' }
  for (const again of [{}, { networkName: '' }, { networkName: null, signalDbm: -40 }])
    for (const scan of [
      [{ bssid: BSSID, networkName: 'Home_nomap' }, other, { bssid: BSSID, ...again }],
      [{ bssid: BSSID, ...again }, other, { bssid: BSSID, networkName: 'Home_nomap' }],
    ])
      expect([...usableReadings(scan).keys()]).toEqual([other.bssid])
})

it('leaves out what is 20 s older than the latest, however old the scan is', () => {
  const ages = (...list: readonly (number | undefined)[]) =>
    usableReadings(list.map((ageMs, index) => ({ bssid: BSSID + index * 64, ageMs }))).size
  expect(ages(0, 20_000, 20_001)).toBe(2)
  expect(ages(3_000_000, 3_019_000)).toBe(2)
  expect(ages(undefined, undefined)).toBe(2)
})

describe('an age of less than 0', () => {
  const old = (list: readonly (number | undefined)[]) => {
    const kept = usableReadings(list.map((ageMs, index) => ({ bssid: BSSID + index * 64, ageMs })))
    return list.filter((_, index) => !kept.has(BSSID + index * 64))
  }

  it('beside others says nothing, and makes no other reading old', () => {
    expect(old([400, 401, 402, -120_000])).toEqual([])
    expect(old([-5_000, 16_000, 30_000, 36_001, undefined])).toEqual([36_001])
  })

  it('is one with another sign if no other is more than 0', () => {
    expect(old([-400, -1_000, -120_000])).toEqual([-120_000])
    expect(old([0, -20_000, -20_001, undefined])).toEqual([-20_001])
  })
})

it('what does not count is not the latest: neither addresses of no access point, nor networks that opted out', () => {
  const heard = [{ bssid: BSSID, ageMs: 90_000 }]
  for (const other of [
    { bssid: 0, ageMs: 1 },
    { bssid: 0xff_ff_ff_ff_ff_ff, ageMs: 1 },
    { bssid: 0x01_00_5e_00_00_01, ageMs: 1 },
    { bssid: BSSID + 64, ageMs: 1, networkName: 'x_nomap' },
  ])
    expect([...usableReadings([...heard, other]).keys()]).toEqual([BSSID])
})

it('of more than 256 addresses the strongest count', () => {
  const heard = Array.from({ length: 600 }, (_, index) => ({
    bssid: BSSID + index * 64,
    ...(index % 3 > 0 && { signalDbm: -30 - (index % 90) }),
  }))
  const kept = [...usableReadings(heard)]
  expect(kept).toHaveLength(256)
  const weakest = Math.min(...kept.map(([, signalDbm = -Infinity]) => signalDbm))
  const stronger = heard.filter(({ signalDbm = -Infinity }) => signalDbm > weakest)
  expect(stronger.every(({ bssid }) => kept.some(([one]) => one === bssid))).toBe(true)
})

describe('a scan with previous scans', () => {
  const address = (number: number) => BSSID + number * 64
  const heard = (signals: Readonly<Record<number, number>>, ageMs?: number) =>
    Object.entries(signals).map(([number, signalDbm]) => ({
      bssid: address(Number(number)),
      signalDbm,
      ageMs,
    }))
  const usable = (
    scan: Readonly<Record<number, number>>,
    previous: readonly (readonly [ageMs: number, signals: Readonly<Record<number, number>>])[],
    ageMs?: number,
  ) => {
    const scans = previous.map(([age, signals]) => ({ ageMs: age, readings: heard(signals) }))
    return [...usableReadings(heard(scan, ageMs), scans).keys()].map((bssid) => (bssid - BSSID) / 64)
  }

  it('is without what the device repeats, also from before a scan in which it was missing, in any order', () => {
    const previous = [
      [30_000, { 1: -50, 2: -60, 3: -70 }],
      [15_000, { 2: -61 }],
    ] as const
    expect(usable({ 1: -50, 2: -60, 3: -71, 4: -80 }, previous)).toEqual([2, 3, 4])
    expect(usable({ 1: -50, 2: -60, 3: -71, 4: -80 }, [...previous].reverse())).toEqual([2, 3, 4])
  })

  it('keeps what was repeated for less than ten seconds, what is older than two minutes, and what was received since', () => {
    const scan = { 1: -50, 2: -60, 3: -71, 4: -80 }
    expect(usable(scan, [[9_000, { 1: -50 }]])).toEqual([1, 2, 3, 4])
    expect(
      usable(scan, [
        [9_000, { 1: -50 }],
        [18_000, { 1: -50 }],
      ]),
    ).toEqual([2, 3, 4])
    expect(usable(scan, [[121_000, { 1: -50 }]])).toEqual([1, 2, 3, 4])
    expect(usable(scan, [[30_000, { 1: -50 }]], 2_000)).toEqual([1, 2, 3, 4])
    expect(usable(scan, [[30_000, { 1: -50 }]], 0)).toEqual([2, 3, 4])
  })

  it('is used as it is if no three radios remain', () => {
    expect(usable({ 1: -50, 2: -60, 3: -70 }, [[30_000, { 1: -50 }]])).toEqual([1, 2, 3])
  })
})
