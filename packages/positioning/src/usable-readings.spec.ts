import { expect, it } from '@jest/globals'
import { usableReadings } from './usable-readings.js'

const BSSID = 0x02_00_00_00_00_10

it('leaves out networks whose owners opted out, in every spelling', () => {
  for (const networkName of ['Home_nomap', 'HOME_NOMAP', 'my_optout_net', 'x_nomap '])
    expect(usableReadings([{ bssid: BSSID, networkName }]).size).toBe(0)
  for (const networkName of ['Home', 'nomap', '_nomap_', '', null, undefined])
    expect(usableReadings([{ bssid: BSSID, networkName }]).size).toBe(1)
})

it('leaves out what is 20 s older than the latest, however old the scan is', () => {
  const ages = (...list: readonly (number | undefined)[]) =>
    usableReadings(list.map((ageMs, index) => ({ bssid: BSSID + index * 16, ageMs }))).size
  expect(ages(0, 20_000, 20_001)).toBe(2)
  expect(ages(3_000_000, 3_019_000)).toBe(2)
  expect(ages(undefined, undefined)).toBe(2)
  expect(ages(-5_000, 16_000, undefined)).toBe(2)
})
