import {
  HeardAccessPoint,
  type SentAccessPoints,
} from '@bearing/contracts/location/access-points/heard-access-point'
import { describe, expect, it } from '@jest/globals'
import { questionOf } from './question.js'

const heard = (macAddress: string, rest: object = {}) =>
  HeardAccessPoint.parse({ macAddress, signalStrength: -60, ...rest })
const ONE = '02:00:5e:00:01:00'
const OTHER = '02:00:5e:00:02:00'
const CELL = { mcc: 262, mnc: 1, tac: 7, eci: 9 }

describe('what a provider is asked', () => {
  it('are addresses, signal strengths and cells, and nothing else of what was heard', () => {
    const accessPoints = [
      heard(ONE, { ssid: 'home of Ada', age: 10, channel: 6, frequency: 2437, signalToNoiseRatio: 20 }),
      heard(OTHER, { signalStrength: -50.4 }),
      heard('02:00:5e:00:03:00', { signalStrength: null }),
    ]
    const nr = {
      radioType: 'nr',
      mobileCountryCode: 262,
      mobileNetworkCode: 1,
      locationAreaCode: 3,
      newRadioCellId: 2 ** 35,
    }
    expect(questionOf({ accessPoints, lte: [CELL], cellTowers: [nr] })).toMatchObject({
      body: {
        considerIp: false,
        wifiAccessPoints: [
          { macAddress: OTHER, signalStrength: -50 },
          { macAddress: ONE, signalStrength: -60 },
          { macAddress: '02:00:5e:00:03:00' },
        ],
        cellTowers: [
          nr,
          { radioType: 'lte', mobileCountryCode: 262, mobileNetworkCode: 1, locationAreaCode: 7, cellId: 9 },
        ],
      },
      fulfilledWith: 'WIFI',
    })
    const sent = JSON.stringify(questionOf({ accessPoints, lte: [CELL] })?.body)
    for (const secret of ['Ada', 'age', 'channel', 'frequency', '2437']) expect(sent).not.toContain(secret)
  })

  it.each(['cafe_nomap', 'CAFE_NOMAP', 'x_optout_y'])('is never a network that opted out: %s', (ssid) => {
    const three = '02:00:5e:00:03:00'
    const question = questionOf({ accessPoints: [heard(ONE), heard(OTHER), heard(three, { ssid })] })
    expect(JSON.stringify(question?.body)).not.toContain(three)
    // With what is left there is but one radio.
    expect(questionOf({ accessPoints: [heard(ONE), heard(three, { ssid })] })).toBeUndefined()
  })

  it('is never a single radio, whatever its addresses; cells are asked about without it', () => {
    const accessPoints = [heard(ONE), heard('02:00:5e:00:01:01'), heard('00:00:5e:00:01:02')]
    expect(questionOf({ accessPoints })).toBeUndefined()
    const question = questionOf({ accessPoints, lte: [CELL] })
    expect(question).toMatchObject({ fulfilledWith: 'SCELL' })
    expect(Object.keys(question?.body ?? {})).toEqual(['considerIp', 'cellTowers'])
  })

  it('is never a single box whose addresses differ across the border of a hexadecimal digit', () => {
    for (const [one, other] of [
      ['50:c7:bf:aa:bb:c0', '50:c7:bf:aa:bb:bf'],
      ['9c:3d:cf:01:02:03', '9c:3d:cf:01:02:13'],
    ] as const)
      expect(questionOf({ accessPoints: [heard(one), heard(other)] })).toBeUndefined()
  })

  it('is nothing where there is nothing to ask', () => {
    expect(questionOf({})).toBeUndefined()
    expect(questionOf({ accessPoints: [], cellTowers: [{ cellId: 1 }], lte: [{ mcc: 1 }] })).toBeUndefined()
  })

  it('are the strongest forty of many', () => {
    const accessPoints = Array.from({ length: 100 }, (_, index) =>
      heard(`02:00:5e:01:${index.toString(16).padStart(2, '0')}:00`, { signalStrength: -20 - index }),
    )
    const sent = questionOf({ accessPoints })?.body.wifiAccessPoints
    expect(sent).toHaveLength(40)
    expect(sent?.at(-1)).toMatchObject({ signalStrength: -59 })
  })

  it('is the same question in another order and heard otherwise, and another one of other addresses or cells', () => {
    const key = (...accessPoints: SentAccessPoints) => questionOf({ accessPoints, lte: [CELL] })?.key
    const one = key(heard(ONE), heard(OTHER))
    expect(key(heard(OTHER, { signalStrength: -30 }), heard(ONE))).toBe(one)
    expect(key(heard(ONE), heard('02:00:5e:00:03:00'))).not.toBe(one)
    const cells = (eci: number) => questionOf({ lte: [{ ...CELL, eci }] })?.key
    expect(cells(9)).not.toBe(cells(10))
  })
})
