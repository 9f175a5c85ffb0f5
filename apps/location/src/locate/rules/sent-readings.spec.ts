import { HeardAccessPoints } from '@bearing/contracts/location/access-points/heard-access-point'
import { allGiven } from '@bearing/contracts/location/access-points/left-out'
import { PreviousScans } from '@bearing/contracts/location/scans/previous-scans'
import { describe, expect, it } from '@jest/globals'
import { sentScans } from './sent-readings.js'

const [ONE, OTHER] = ['02:00:00:00:00:01', '02:00:00:00:00:09']
const bssids = (readings: readonly { readonly bssid: number }[]) => readings.map(({ bssid }) => bssid % 256)

describe('the scans of a request', () => {
  const sent = [
    { macAddress: ONE, signalStrength: -60 },
    { macAddress: OTHER, signalStrength: -60 },
  ]
  const accessPoints = HeardAccessPoints.parse(sent)

  it.each([
    ['named so', 'cafe_nomap', [9]],
    ['named otherwise', 'cafe', [1, 9]],
  ])('have no network whose owner opted out in any of them: %s in an earlier one', (_, ssid, left) => {
    const before = [
      { macAddress: ONE, signalStrength: -70, ssid },
      { macAddress: OTHER, signalStrength: -70 },
    ]
    const previousScans = allGiven(PreviousScans.parse([{ age: 4_000, accessPoints: before }]))
    const { readings, previous } = sentScans({ accessPoints, previousScans })
    expect(bssids(readings)).toEqual(left)
    expect(previous.map((scan) => bssids(scan.readings))).toEqual([left])
  })

  it('have none that opts out in the latest one in those before', () => {
    const named = HeardAccessPoints.parse([{ macAddress: ONE, signalStrength: -60, ssid: 'cafe_nomap' }])
    const previousScans = allGiven(PreviousScans.parse([{ age: 4_000, accessPoints: sent }]))
    const { previous } = sentScans({ accessPoints: named, previousScans })
    expect(previous.map((scan) => bssids(scan.readings))).toEqual([[9]])
  })
})
