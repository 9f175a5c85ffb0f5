import { describe, expect, it } from '@jest/globals'
import { radiusAt, readAnswer } from './read-answer.js'

const answer = (lat: unknown, lng: unknown, accuracy: unknown) =>
  JSON.stringify({ location: { lat, lng }, accuracy })

describe('an answer of a provider', () => {
  it('is a place and an accuracy, whatever else is in it', () => {
    const body = '{"location":{"lat":-90,"lng":180,"alt":1},"accuracy":12.5,"more":[]}'
    expect(readAnswer(200, body)).toEqual({ found: true, lat: -90, lon: 180, accuracy: 12.5 })
  })

  it('is that there is none where it is 404, whatever it says', () => {
    for (const body of ['', 'x', '{"error":{}}', answer(1, 2, 3)])
      expect(readAnswer(404, body)).toEqual({ found: false })
  })

  it.each([
    ['a latitude beyond the poles', answer(90.1, 1, 5)],
    ['a longitude beyond the antimeridian', answer(1, -180.1, 5)],
    ['a place of texts', answer('1', '2', 5)],
    ['no place', '{"accuracy":5}'],
    ['0° N 0° E', answer(0, 0, 5)],
    ['0° N 0° E of the other sign', '{"location":{"lat":-0,"lng":-0},"accuracy":5}'],
    ['an accuracy of NaN', '{"location":{"lat":1,"lng":2},"accuracy":NaN}'],
    ['an accuracy that is a text', answer(1, 2, 'NaN')],
    ['an infinite accuracy', '{"location":{"lat":1,"lng":2},"accuracy":1e999}'],
    ['an infinite latitude', '{"location":{"lat":1e999,"lng":2},"accuracy":1}'],
    ['an accuracy of nothing', answer(1, 2, null)],
    ['an accuracy of 0', answer(1, 2, 0)],
    ['a negative accuracy', answer(1, 2, -5)],
    ['an accuracy of half the earth', answer(1, 2, 2e7)],
    ['a list', '[]'],
    ['null', 'null'],
    ['nothing', ''],
    ['no JSON', '<html>'],
    ['JSON that goes too deep', '['.repeat(16_000)],
  ])('is none where it is %s', (_, body) => {
    expect(readAnswer(200, body)).toBeUndefined()
  })

  it.each([201, 204, 301, 302, 400, 401, 403, 429, 500, 503])('is none with status %d', (status) => {
    expect(readAnswer(status, answer(1, 2, 3))).toBeUndefined()
  })
})

describe('a radius', () => {
  it('is the same where nothing else is asked for, wider for more, and back again', () => {
    expect(radiusAt(100, 68, 68)).toBe(100)
    // √(ln 0.05 / ln 0.32)
    expect(radiusAt(100, 68, 95)).toBeCloseTo(162.15, 2)
    expect(radiusAt(radiusAt(100, 68, 95), 95, 68)).toBeCloseTo(100, 9)
    expect(radiusAt(100, 95, 50)).toBeLessThan(100)
  })
})
