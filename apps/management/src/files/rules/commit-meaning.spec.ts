import { describe, expect, it } from '@jest/globals'
import { attributesOf, deviceSerialOf, meaningOf, unstorableText } from './commit-meaning.js'

const commit = {
  organization_id: 'o',
  project_id: 'p',
  kind: 'coredump',
  file: { token: 't', md5: 'm', name: 'core' },
  device: { device_serial: 'S-1', versions: [1, { b: 2, a: null }] },
}

describe('what a commit says', () => {
  it('is all but the token, the digest and the address', () =>
    expect(attributesOf(commit)).toEqual({ file: { name: 'core' }, device: commit.device }))

  it('is the same in any order, and another where anything differs', () => {
    const attributes = attributesOf(commit)
    const { file, device } = attributes
    const reordered = { device: { versions: [1, { a: null, b: 2 }], device_serial: 'S-1' }, file }
    expect(meaningOf(reordered)).toBe(meaningOf(attributes))
    for (const other of [
      { file },
      { file, device: { device_serial: 'S-1', versions: [{ b: 2, a: null }, 1] } },
      { file, device, more: '' },
      { file: {}, device },
    ])
      expect(meaningOf(other)).not.toBe(meaningOf(attributes))
  })

  it('is nothing where it is nested too deeply to be read', () => {
    const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)])
    expect(meaningOf({ a: nested(20) })).toBeDefined()
    expect(meaningOf({ a: nested(1_000) })).toBeUndefined()
  })

  it('has a place for each text that Postgres cannot keep', () => {
    expect(unstorableText({ file: { name: 'Ä 🚀 \\u0000' }, more: [1, null, true] })).toBeUndefined()
    expect(unstorableText({ file: { name: 'a\0' } })).toBe('/file/name')
    expect(unstorableText({ device: { 'a/~b': [{ c: 'x\ud83d' }] } })).toBe('/device/a~1~0b/0/c')
    expect(unstorableText({ device: { '\udc00': 1 } })).toBe('/device')
  })

  it('names the device, inside or beside, where that is a serial number', () => {
    expect(deviceSerialOf({ device: { device_serial: 'A_1' } })).toBe('A_1')
    expect(deviceSerialOf({ device_serial: 'B-2' })).toBe('B-2')
    for (const none of [
      {},
      { device: {} },
      { device_serial: 'a b' },
      { device_serial: 7 },
      { device_serial: '' },
    ])
      expect(deviceSerialOf(none)).toBeNull()
  })
})
