import { expect, it } from '@jest/globals'
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
  expect(ages(-5_000, 16_000, undefined)).toBe(2)
})
