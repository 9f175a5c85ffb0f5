import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { readSdkBuildId } from './sdk-build-id.js'
import { isObjectFile, symbolsKind } from './symbols-kind.js'

const WANTED = 'g_memfault_sdk_derived_build_id'

interface Made {
  readonly bits: 32 | 64
  readonly little: boolean
  /** The content of the section with the id, and where the id is in it. */
  readonly content: Buffer
  readonly at: number
  /** Address of that section. */
  readonly address: number
  /** Names of other symbols, before and after that of the id. */
  readonly before: readonly string[]
  readonly after: readonly string[]
  /** In front of the name, which may be the end of a longer one. */
  readonly prefix: string
}

/** An ELF file whose sections are: nothing, content, symbols, names. */
function sdkFile({ bits, little, content, at, address, before, after, prefix }: Made): Buffer {
  const wide = bits === 64
  const [headerBytes, entryBytes, symbolBytes] = wide ? [64, 64, 24] : [52, 40, 16]
  const writer = (bytes: Buffer) => ({
    half: (value: number, where: number) =>
      little ? bytes.writeUInt16LE(value, where) : bytes.writeUInt16BE(value, where),
    full: (value: number, where: number) =>
      little ? bytes.writeUInt32LE(value, where) : bytes.writeUInt32BE(value, where),
    word: (value: number, where: number) => {
      if (!wide) writer(bytes).full(value, where)
      else if (little) bytes.writeBigUInt64LE(BigInt(value), where)
      else bytes.writeBigUInt64BE(BigInt(value), where)
    },
  })
  const names = Buffer.from(['', ...before, `${prefix}${WANTED}`, ...after, ''].join('\0'), 'latin1')
  const symbols = [...before, `${prefix}${WANTED}`, ...after].map((name) => {
    const symbol = Buffer.alloc(symbolBytes)
    const isWanted = name.endsWith(WANTED)
    const start = names.indexOf(`\0${name}\0`, 0, 'latin1') + 1
    writer(symbol).full(isWanted ? start + prefix.length : start, 0)
    writer(symbol).word(isWanted ? address + at : address, wide ? 8 : 4)
    writer(symbol).half(1, wide ? 6 : 14)
    return symbol
  })
  const parts = [content, Buffer.concat(symbols), names]
  const offsets = parts.map(
    (_, i) => headerBytes + parts.slice(0, i).reduce((sum, { length }) => sum + length, 0),
  )
  const entry = (type: number, part: number, place: number, link: number) => {
    const bytes = Buffer.alloc(entryBytes)
    const write = writer(bytes)
    write.full(type, 4)
    write.word(place, wide ? 16 : 12)
    write.word(offsets[part] ?? 0, wide ? 24 : 16)
    write.word(parts[part]?.length ?? 0, wide ? 32 : 20)
    write.full(link, wide ? 40 : 24)
    return bytes
  }
  const header = Buffer.alloc(headerBytes)
  header.write('\u007fELF', 0, 'latin1')
  header.set([wide ? 2 : 1, little ? 1 : 2, 1], 4)
  writer(header).half(2, 16)
  writer(header).word(headerBytes + parts.reduce((sum, { length }) => sum + length, 0), wide ? 40 : 32)
  writer(header).half(entryBytes, wide ? 58 : 46)
  writer(header).half(4, wide ? 60 : 48)
  const sections = [Buffer.alloc(entryBytes), entry(1, 0, address, 0), entry(2, 1, 0, 3), entry(3, 2, 0, 0)]
  return Buffer.concat([header, ...parts, ...sections])
}

/** Reads of a buffer, and how much. */
function reading(file: Buffer) {
  const read = { bytes: 0, calls: 0 }
  const id = () =>
    readSdkBuildId((offset, length) => {
      read.calls++
      const bytes = file.subarray(offset, offset + length)
      read.bytes += bytes.length
      return Promise.resolve(bytes)
    }, file.length)
  return { read, id }
}

const name = fc.stringMatching(/^[a-z_]{1,12}$/)
const made = fc
  .record({
    bits: fc.constantFrom(32 as const, 64 as const),
    little: fc.boolean(),
    id: fc.uint8Array({ minLength: 20, maxLength: 20 }),
    ahead: fc.nat({ max: 64 }),
    behind: fc.nat({ max: 64 }),
    address: fc.nat({ max: 0x7fff_0000 }),
    before: fc.uniqueArray(name, { maxLength: 6 }),
    after: fc.uniqueArray(name, { maxLength: 6 }),
    prefix: fc.constantFrom('', '_', 'long_'),
  })
  .map(({ id, ahead, behind, ...rest }) => ({
    ...rest,
    id: Buffer.from(id),
    at: ahead,
    content: Buffer.concat([Buffer.alloc(ahead, 0xee), id, Buffer.alloc(behind, 0xdd)]),
  }))

describe('the build id of the firmware SDK', () => {
  it('is read from every file that has one, whatever its width, byte order, addresses and other symbols', async () => {
    await fc.assert(
      fc.asyncProperty(made, async (file) => {
        const hex = file.id.toString('hex')
        const isPatched = /[^0]/.test(hex) && hex !== `01${'00'.repeat(19)}`
        const bytes = sdkFile(file)
        expect(await reading(bytes).id()).toBe(isPatched ? hex : undefined)
        expect([symbolsKind(bytes), isObjectFile(bytes)]).toEqual(['elf', false])
      }),
      { numRuns: 500 },
    )
  })

  it.each([`01${'00'.repeat(19)}`, '00'.repeat(20)])(
    'is none before the build script has run: %s',
    async (hex) => {
      const content = Buffer.from(hex, 'hex')
      const rest = {
        bits: 32,
        little: true,
        at: 0,
        address: 0x0800_0000,
        before: [],
        after: [],
        prefix: '',
      } as const
      expect(await reading(sdkFile({ ...rest, content })).id()).toBeUndefined()
    },
  )

  it('is none or 20 bytes of a hostile file, which costs a bounded number of reads', async () => {
    const hostile = fc.record({
      file: made,
      changes: fc.array(
        fc.tuple(fc.nat({ max: 999 }), fc.constantFrom(0, 1, 2, 3, 4, 0x10, 0x7f, 0x80, 0xff)),
        { maxLength: 30 },
      ),
      // Changes to the descriptions of sections and symbols, counted from the end.
      atEnd: fc.array(fc.tuple(fc.nat({ max: 255 }), fc.integer({ min: 0, max: 255 })), { maxLength: 20 }),
      cut: fc.option(fc.nat({ max: 1_000 })),
    })
    await fc.assert(
      fc.asyncProperty(hostile, async ({ file, changes, atEnd, cut }) => {
        const bytes = sdkFile(file)
        for (const [at, byte] of changes) if (at < bytes.length) bytes[at] = byte
        for (const [at, byte] of atEnd) bytes[bytes.length - 1 - at] = byte
        const { read, id } = reading(bytes.subarray(0, cut ?? bytes.length))
        const found = await id()
        if (found !== undefined) expect(found).toMatch(/^[0-9a-f]{40}$/)
        expect(read.calls).toBeLessThan(300)
        expect(read.bytes).toBeLessThan(300 * bytes.length)
      }),
      { numRuns: 2_000 },
    )
  })
})

/** A little-endian 32-bit ELF file with so many symbols of the wanted name, none of which has an id. */
function hostileFile(count: number): Buffer {
  const names = Buffer.from('\0g_memfault_sdk_derived_build_id\0', 'latin1')
  const symbol = Buffer.alloc(16)
  symbol.writeUInt32LE(1, 0)
  symbol.writeUInt16LE(1, 14)
  const parts = [Buffer.alloc(32), Buffer.concat(Array.from({ length: count }, () => symbol)), names]
  const offsets = [52, 84, 84 + 16 * count]
  const section = (type: number, part: number, link: number) => {
    const entry = Buffer.alloc(40)
    entry.writeUInt32LE(type, 4)
    entry.writeUInt32LE(offsets[part] ?? 0, 16)
    entry.writeUInt32LE(parts[part]?.length ?? 0, 20)
    entry.writeUInt32LE(link, 24)
    return entry
  }
  const header = Buffer.alloc(52)
  header.write('\u007fELF', 0, 'latin1')
  header.set([1, 1, 1], 4)
  header.writeUInt32LE(84 + 16 * count + names.length, 32)
  header.writeUInt16LE(40, 46)
  header.writeUInt16LE(4, 48)
  return Buffer.concat([
    header,
    ...parts,
    Buffer.alloc(40),
    section(1, 0, 0),
    section(2, 1, 3),
    section(3, 2, 0),
  ])
}

it('a file with a million symbols of the wanted name costs a few reads', async () => {
  const { read, id } = reading(hostileFile(1_000_000))
  expect(await id()).toBeUndefined()
  expect(read.calls).toBeLessThan(200)
})
