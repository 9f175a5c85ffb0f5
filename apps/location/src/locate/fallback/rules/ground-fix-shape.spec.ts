import { describe, expect, it } from '@jest/globals'
import { fromGroundFix, groundFixBody, isGroundFix } from './ground-fix-shape.js'
import { readAnswer } from './read-answer.js'

const LTE = { mobileCountryCode: 262, mobileNetworkCode: 1, locationAreaCode: 7, cellId: 9 }

describe('a provider with the ground-fix form', () => {
  it('is recognized by its URL', () => {
    expect(isGroundFix(new URL('https://api.example/v1/location/ground-fix'))).toBe(true)
    expect(isGroundFix(new URL('https://api.example/v1/geolocate'))).toBe(false)
  })

  it('receives access points and LTE cells, and nothing if a question has neither', () => {
    const wifiAccessPoints = [{ macAddress: '02:00:00:00:00:10', signalStrength: -50 }]
    const cellTowers = [
      { radioType: 'lte', ...LTE },
      { radioType: 'gsm', ...LTE },
    ]
    expect(groundFixBody({ considerIp: false, wifiAccessPoints, cellTowers })).toEqual({
      wifi: { accessPoints: wifiAccessPoints },
      lte: [{ mcc: 262, mnc: 1, tac: 7, eci: 9 }],
    })
    expect(groundFixBody({ considerIp: false, cellTowers: cellTowers.slice(1) })).toBeUndefined()
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
