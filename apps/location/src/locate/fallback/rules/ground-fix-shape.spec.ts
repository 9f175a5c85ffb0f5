import { HeardAccessPoint } from '@bearing/contracts/location/access-points/heard-access-point'
import { describe, expect, it } from '@jest/globals'
import { fromGroundFix, groundFixBody, isGroundFix } from './ground-fix-shape.js'
import { questionOf } from './question.js'
import { readAnswer } from './read-answer.js'

const TOWER = { mobileCountryCode: 262, mobileNetworkCode: 1, locationAreaCode: 7, cellId: 9 }

describe('a provider with the ground-fix form', () => {
  it('is recognized by its URL', () => {
    expect(isGroundFix(new URL('https://api.example/v1/location/ground-fix'))).toBe(true)
    expect(isGroundFix(new URL('https://api.example/v1/geolocate'))).toBe(false)
  })

  it('receives access points, and LTE, LTE-M and NB-IoT cells in the lists of the device', () => {
    const macAddress = (number: number) => `02:00:5e:00:0${String(number)}:00`
    const accessPoints = [1, 2].map((number) =>
      HeardAccessPoint.parse({ macAddress: macAddress(number), signalStrength: -50 }),
    )
    const cell = (eci: number) => ({ mcc: 262, mnc: 1, tac: 7, eci })
    const cellTowers = ['lte', 'gsm'].map((radioType) => ({ radioType, ...TOWER }))
    const heard = { cellTowers, lte: [cell(1)], ltecatm: [cell(2)], nbiot: [cell(3), { mcc: 262 }] }
    const body = (what: Parameters<typeof questionOf>[0]) => {
      const question = questionOf(what)
      return question && groundFixBody(question)
    }
    expect(body({ accessPoints, ...heard })).toEqual({
      wifi: {
        accessPoints: [1, 2].map((number) => ({ macAddress: macAddress(number), signalStrength: -50 })),
      },
      lte: [cell(9), cell(1)],
      ltecatm: [cell(2)],
      nbiot: [cell(3)],
    })
    expect(body({ nbiot: [cell(3)] })).toEqual({ nbiot: [cell(3)] })
  })

  it('receives nothing if a question has neither', () => {
    const question = questionOf({ cellTowers: [{ radioType: 'gsm', ...TOWER }] })
    expect(question && groundFixBody(question)).toBeUndefined()
  })

  it('is believed no more than others', () => {
    const answer = '{"lat":63.42,"lon":10.43,"uncertainty":24.5,"fulfilledWith":"WIFI"}'
    expect(readAnswer(200, fromGroundFix(answer))).toEqual({
      found: true,
      lat: 63.42,
      lon: 10.43,
      accuracy: 24.5,
    })
    for (const wrong of [
      'null',
      'text',
      '{"lat":91,"lon":0,"uncertainty":1}',
      '{"lat":0,"lon":0,"uncertainty":1}',
    ])
      expect(readAnswer(200, fromGroundFix(wrong))).toBeUndefined()
    expect(readAnswer(404, fromGroundFix('{"code":40410}'))).toEqual({ found: false })
  })
})
