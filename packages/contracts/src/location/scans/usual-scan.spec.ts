import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { readUsualScan, UsualScan } from './usual-scan.js'
import { MAX_BATCH_SCANS, resolveWifiBatch } from '../lookups/wifi-batch.js'
import { resolveWifiLocation } from '../lookups/wifi.js'

const SCOPE = {
  organization_id: '019ab0c2-0000-7000-8000-000000000000',
  project_id: '019ab0c2-0000-7000-8000-000000000001',
}
const HEARD = '{"macAddress":"02:00:5e:00:00:10","signalStrength":-50}'

const bytesOf = (text: string) => new TextEncoder().encode(text)

/** Returns what JSON and the schema read; undefined for an error. */
function byTheSchema(json: Uint8Array, over: Readonly<Record<string, unknown>>): unknown {
  try {
    const sent: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(json))
    if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return undefined
    return resolveWifiLocation.input.parse({ ...sent, ...over })
  } catch {
    return undefined
  }
}

/** Returns a scan with its access points, as the schema gives it. */
function plain(scan: UsualScan) {
  const { numbers: _, ...rest } = scan
  return { ...rest, accessPoints: scan.accessPoints }
}

/** Expects the reader to give what the schema gives, or nothing. */
function expectSame(json: Uint8Array, over: Readonly<Record<string, unknown>> = SCOPE) {
  const read = readUsualScan(json, over)
  if (read !== undefined) expect(plain(read)).toStrictEqual(byTheSchema(json, over))
  return read
}

const blanks = fc.stringMatching(/^[ \t\r\n]{0,2}$/)
const octet = fc.integer({ min: 0, max: 255 }).map((value) => value.toString(16).padStart(2, '0'))
const address = fc
  .tuple(fc.array(octet, { minLength: 6, maxLength: 6 }), fc.constantFrom(':', '-', '.', ''), fc.boolean())
  .map(([octets, separator, isUpper]) => {
    const text = octets.join(separator)
    return isUpper ? text.toUpperCase() : text
  })
const name = fc.constantFrom('signalStrength', 'frequency', 'channel', 'age', 'signalToNoiseRatio')
const integer = fc.oneof(
  fc.integer({ min: -130, max: 130 }),
  fc.integer({ min: -999_999_999, max: 999_999_999 }),
)
/** Access points as nearly all clients write them, with the fields in any order. */
const usualEntry = fc
  .record({
    macAddress: address,
    numbers: fc.uniqueArray(name),
    values: fc.array(integer, { minLength: 5, maxLength: 5 }),
    at: fc.nat(5),
    ...{ before: blanks, after: blanks },
  })
  .map(({ macAddress, numbers, values, at, before, after }) => {
    const fields = numbers.map((one, index) => `"${one}"${before}:${after}${String(values[index])}`)
    fields.splice(at, 0, `"macAddress":${before}"${macAddress}"`)
    return `{${before}${fields.join(`${after},${before}`)}${after}}`
  })
const usualScan = fc
  .tuple(fc.array(usualEntry, { minLength: 1, maxLength: 6 }), blanks)
  .map(
    ([entries, blank]) =>
      `${blank}{${blank}"accessPoints"${blank}:[${entries.join(`${blank},`)}]${blank}}${blank}`,
  )

describe('a scan as nearly all clients write it', () => {
  it('is read from its bytes as JSON and the schema read it', () => {
    fc.assert(
      fc.property(usualScan, (text) => {
        expect(expectSame(bytesOf(text))).toBeDefined()
      }),
    )
  })

  it('is read as by JSON and the schema, or not at all, with any bytes changed, removed or added', () => {
    const notable = fc.constantFrom(
      ...'"\\,:[]{}-+.eE019af nulltrue'.split(''),
      '\ufeff',
      '\u0000',
      'é',
      '😀',
    )
    const edit = fc.record({
      at: fc.nat(),
      remove: fc.nat(3),
      add: fc.oneof(notable, fc.string({ maxLength: 3 })),
    })
    const broken = fc.record({ at: fc.nat(), byte: fc.integer({ min: 0, max: 255 }) })
    fc.assert(
      fc.property(usualScan, fc.array(edit, { maxLength: 3 }), fc.option(broken), (text, edits, raw) => {
        let edited = text
        for (const { at, remove, add } of edits) {
          const from = at % (edited.length + 1)
          edited = edited.slice(0, from) + add + edited.slice(from + remove)
        }
        const bytes = bytesOf(edited)
        if (raw && bytes.length > 0) bytes[raw.at % bytes.length] = raw.byte
        expectSame(bytes)
      }),
      { numRuns: 2_000 },
    )
  })

  it('is read as by JSON and the schema, or not at all, where a number is any JSON number', () => {
    const digits = fc.stringMatching(/^-?(?:0|[1-9]\d{0,18})(?:\.\d{1,3})?(?:[eE][+-]?\d{1,3})?$/)
    fc.assert(
      fc.property(digits, name, (number, field) => {
        expectSame(bytesOf(`{"accessPoints":[{"macAddress":"02005e000010","${field}":${number}}]}`))
      }),
    )
  })

  it('is read as by JSON and the schema, or not at all, with any JSON value somewhere in it', () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        expectSame(bytesOf(json))
        expectSame(bytesOf(`{"accessPoints":${json}}`))
        expectSame(bytesOf(`{"accessPoints":[${json}]}`))
        expectSame(bytesOf(`{"accessPoints":[${HEARD},{"macAddress":${json}}]}`))
        expectSame(bytesOf(`{"accessPoints":[${HEARD}],"config":${json}}`))
      }),
    )
  })

  it('may have 256 access points', () => {
    const scan = (count: number) => bytesOf(`{"accessPoints":[${new Array(count).fill(HEARD).join(',')}]}`)
    expect(expectSame(scan(256))?.accessPoints).toHaveLength(256)
    expect(expectSame(scan(257))).toBeUndefined()
  })
})

/** Expects the reader of batches to give what the schema gives, or nothing. */
function expectSameBatch(text: string) {
  const read = resolveWifiBatch.readUsual?.(bytesOf(text), {})
  if (read !== undefined) {
    const scans = read.scans.map(({ success, data }) => ({
      success,
      data: data instanceof UsualScan ? plain(data) : data,
    }))
    expect({ ...read, scans }).toStrictEqual(resolveWifiBatch.input.parse(JSON.parse(text)))
  }
  return read
}

describe('a batch of scans as the gateway writes it', () => {
  const ids = JSON.stringify(SCOPE).slice(1)

  it('is read from its bytes as JSON and the schema read it', () => {
    fc.assert(
      fc.property(fc.array(usualScan, { minLength: 1, maxLength: 4 }), blanks, (scans, blank) => {
        const text = `${blank}{"scans":${blank}[${scans.join(',')}${blank}],${ids}${blank}`
        expect(expectSameBatch(text)).toBeDefined()
      }),
    )
  })

  it('is read as by JSON and the schema, or not at all, with characters changed, removed or added', () => {
    const edit = fc.record({
      at: fc.nat(),
      remove: fc.nat(3),
      add: fc.oneof(
        fc.constantFrom(...'"\\,:[]{}-+.eE019af nulltrue'.split('')),
        fc.string({ maxLength: 3 }),
      ),
    })
    fc.assert(
      fc.property(usualScan, fc.array(edit, { minLength: 1, maxLength: 3 }), (scan, edits) => {
        let text = `{"scans":[${scan}],${ids}`
        for (const { at, remove, add } of edits) {
          const from = at % (text.length + 1)
          text = text.slice(0, from) + add + text.slice(from + remove)
        }
        expectSameBatch(text)
      }),
      { numRuns: 2_000 },
    )
  })

  it('has 1 to 100 scans, no other fields, and ids in lower case behind them', () => {
    const scan = `{"accessPoints":[${HEARD}]}`
    const scans = (count: number) => `{"scans":[${new Array(count).fill(scan).join(',')}],${ids}`
    expect(expectSameBatch(scans(MAX_BATCH_SCANS))).toBeDefined()
    expect(resolveWifiBatch.readUsual?.(bytesOf(scans(1)), SCOPE)).toBeUndefined()
    for (const text of [
      scans(0),
      scans(MAX_BATCH_SCANS + 1),
      `{"scans":[${scan}],"x":1,${ids}`,
      `{${ids.slice(0, -1)},"scans":[${scan}]}`,
      `{"scans":[${scan},{}],${ids}`,
      scans(1).replace('-0000-', '-000A-'),
      scans(1).slice(0, -1),
      `${scans(1)}x`,
    ])
      expect(resolveWifiBatch.readUsual?.(bytesOf(text), {})).toBeUndefined()
  })
})

describe('everything unusual is left to JSON and the schema', () => {
  it.each([
    ['no bytes', ''],
    ['an empty object', '{}'],
    ['an empty list', '{"accessPoints":[]}'],
    ['null', '{"accessPoints":null}'],
    ['a byte order mark', `\ufeff{"accessPoints":[${HEARD}]}`],
    ['bytes after the end', `{"accessPoints":[${HEARD}]}x`],
    ['a zero byte after the end', `{"accessPoints":[${HEARD}]}\0`],
    ['a list that occurs twice', `{"accessPoints":[${HEARD}],"accessPoints":[${HEARD}]}`],
    ['a field that occurs twice', '{"accessPoints":[{"macAddress":"02005e000010","age":1,"age":2}]}'],
    [
      'an address that occurs twice',
      '{"accessPoints":[{"macAddress":"02005e000010","macAddress":"02005e000011"}]}',
    ],
    ['two names for a value', '{"accessPoints":[{"macAddress":"02005e000010","age""signalToNoiseRatio":1}]}'],
    ['the name of an address without one', '{"accessPoints":[{"macAddress""macAddress":"02005e000010"}]}'],
    ['no address', '{"accessPoints":[{"age":1}]}'],
    ['an escape in a name', '{"accessPoints":[{"mac\\u0041ddress":"02005e000010"}]}'],
    ['an escape in an address', '{"accessPoints":[{"macAddress":"02005e0000\\u0031"}]}'],
    ['an exponent', '{"accessPoints":[{"macAddress":"02005e000010","age":1e999}]}'],
    ['a fraction', '{"accessPoints":[{"macAddress":"02005e000010","age":1.5}]}'],
    ['minus zero', '{"accessPoints":[{"macAddress":"02005e000010","age":-0}]}'],
    ['a zero in front', '{"accessPoints":[{"macAddress":"02005e000010","age":01}]}'],
    ['ten digits', '{"accessPoints":[{"macAddress":"02005e000010","age":1234567890}]}'],
    ['separators that are mixed', '{"accessPoints":[{"macAddress":"02:00-5e:00:00:10"}]}'],
    ['groups of four', '{"accessPoints":[{"macAddress":"0200.5e00.0010"}]}'],
    ['another option', `{"accessPoints":[${HEARD}],"confidence":95}`],
    ['__proto__', `{"__proto__":[${HEARD}]}`],
    ['deep nesting', `{"accessPoints":${'['.repeat(100_000)}`],
  ])('%s', (_, text) => {
    expect(expectSame(bytesOf(text))).toBeUndefined()
  })

  it('ids in upper case, missing ids, and fields that replace options', () => {
    const json = bytesOf(`{"accessPoints":[${HEARD}]}`)
    const { organization_id, project_id } = SCOPE
    for (const over of [
      {},
      { organization_id },
      { organization_id, project_id: null },
      { organization_id: organization_id.toUpperCase(), project_id },
      { ...SCOPE, confidence: 95 },
      { ...SCOPE, accessPoints: [] },
    ])
      expect(expectSame(json, over)).toBeUndefined()
    expect(expectSame(json)).toBeDefined()
  })
})
