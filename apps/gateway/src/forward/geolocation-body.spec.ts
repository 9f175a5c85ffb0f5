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
