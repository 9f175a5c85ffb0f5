import { gzipSync } from 'node:zlib'
import { expect, it } from '@jest/globals'
import { geolocationBody } from './geolocation-body.js'

const LIMIT = 64 * 1_024
const spaces = (bytes: number) => gzipSync(Buffer.alloc(bytes, ' '))

it('gzip is decompressed up to the body limit, and no byte further', () => {
  for (const coding of ['gzip', 'GZIP', 'x-gzip'])
    expect(geolocationBody(spaces(LIMIT), coding, LIMIT)).toHaveLength(LIMIT)
  const members = Buffer.concat([spaces(LIMIT), spaces(1)])
  for (const body of [spaces(LIMIT + 1), spaces(64 * 1_024 * 1_024), members])
    expect(() => geolocationBody(body, 'gzip', LIMIT)).toThrow('decompressed body')
})

it('a body of more objects than any submission has is refused before it is parsed', () => {
  const limit = 4 * 1_024 * 1_024
  const objects = (count: number) => Buffer.from(`[${'{},'.repeat(count - 1)}0]`)
  expect(geolocationBody(objects(100_000), '', limit)).toHaveLength(300_000)
  for (const body of [objects(100_001), Buffer.from('['.repeat(200_000))])
    expect(() => geolocationBody(body, '', limit)).toThrow('objects and lists')
  expect(() => geolocationBody(gzipSync(objects(300_000)), 'gzip', limit)).toThrow('objects and lists')
})
