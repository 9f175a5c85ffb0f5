import { Buffer } from 'node:buffer'
import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { BuildIdScan } from './build-id-scan.js'
import { readGnuBuildId } from './gnu-build-id.js'

const ID = '83ec5c02f5a51f3e6b4b4f4c6a9d0b1c2d3e4f50'

/** An ELF file with one segment or section of notes. */
function elf({ bits = 64, little = true, table = 'segments', id = ID } = {}): Buffer {
  const wide = bits === 64
  const file = Buffer.alloc(400)
  const half = (value: number, at: number) =>
    little ? file.writeUInt16LE(value, at) : file.writeUInt16BE(value, at)
  const full = (value: number, at: number) =>
    little ? file.writeUInt32LE(value, at) : file.writeUInt32BE(value, at)
  const word = (value: number, at: number) => {
    if (!wide) full(value, at)
    else if (little) file.writeBigUInt64LE(BigInt(value), at)
    else file.writeBigUInt64BE(BigInt(value), at)
  }
  file.write('\u007fELF', 0, 'latin1')
  file.set([wide ? 2 : 1, little ? 1 : 2, 1], 4)
  const isSegment = table === 'segments'
  const counts = (wide ? 54 : 42) + (isSegment ? 0 : 4)
  word(100, isSegment ? (wide ? 32 : 28) : wide ? 40 : 32)
  half(isSegment ? (wide ? 56 : 32) : wide ? 64 : 40, counts)
  half(1, counts + 2)
  full(isSegment ? 4 : 7, isSegment ? 100 : 104)
  const [offset, length] = isSegment ? (wide ? [8, 32] : [4, 16]) : wide ? [24, 32] : [16, 20]
  word(200, 100 + offset)
  word(56, 100 + length)
  // Another note stands in front.
  full(4, 200)
  full(4, 204)
  full(1, 208)
  file.write('GNU\0', 212, 'latin1')
  full(4, 220)
  full(id.length / 2, 224)
  full(3, 228)
  file.write('GNU\0', 232, 'latin1')
  file.write(id, 236, 'hex')
  return file
}

/** Reads of a buffer, and how much. */
function reading(file: Buffer) {
  const read = { bytes: 0, calls: 0 }
  const readAt = (offset: number, length: number) => {
    read.calls++
    const bytes = file.subarray(offset, offset + length)
    read.bytes += bytes.length
    return Promise.resolve(bytes)
  }
  return { read, id: () => readGnuBuildId(readAt, file.length) }
}

/** Passes a file once, in pieces. */
async function scanned(file: Buffer, pieceLength: number): Promise<string | undefined> {
  const scan = new BuildIdScan()
  for (let at = 0; at < file.length; at += pieceLength) scan.push(file.subarray(at, at + pieceLength))
  return scan.id()
}

describe('the GNU build id of content that is seen once', () => {
  it.each([
    { bits: 64, little: true, table: 'segments' },
    { bits: 64, little: false, table: 'sections' },
    { bits: 32, little: true, table: 'sections' },
    { bits: 32, little: false, table: 'segments' },
  ])('is found in pieces of any length: $bits bits, little endian $little, $table', async (kind) => {
    for (const length of [1, 7, 63, 64, 65, 100, 237, 400])
      expect([length, await scanned(elf(kind), length)]).toEqual([length, ID])
  })

  it('is found if the notes come before the table that names them', async () => {
    const file = Buffer.concat([elf({ table: 'sections' }), Buffer.alloc(200_000)])
    file.copy(file, 150_000, 100, 164)
    file.fill(0, 100, 164)
    file.writeBigUInt64LE(150_000n, 40)
    expect(await scanned(file, 4_096)).toBe(ID)
    expect(await reading(file).id()).toBe(ID)
  })

  it('is the same as that of a file that is read at offsets, whatever a file with one note says', async () => {
    const anything = fc.record({
      table: fc.constantFrom('segments', 'sections'),
      changes: fc.array(fc.tuple(fc.integer({ min: 0, max: 130 }), fc.integer({ min: 0, max: 255 })), {
        maxLength: 3,
      }),
      length: fc.integer({ min: 1, max: 400 }),
    })
    await fc.assert(
      fc.asyncProperty(anything, async ({ table, changes, length }) => {
        const file = elf({ table })
        for (const [at, byte] of changes) file[at] = byte
        const read = await reading(file).id()
        const once = await scanned(file, length)
        if (read !== undefined) expect(once).toBe(read)
        else expect([undefined, ID]).toContain(once)
      }),
    )
  })

  it('is none in content that is no ELF file or has none', async () => {
    const without = elf()
    without.fill(0, 224, 260)
    for (const file of [Buffer.alloc(0), Buffer.from('\u007fELF'), Buffer.alloc(500, 1), without])
      expect(await scanned(file, 50)).toBeUndefined()
  })
})

describe('the GNU build id', () => {
  it.each([
    { bits: 64, little: true, table: 'segments' },
    { bits: 64, little: false, table: 'sections' },
    { bits: 32, little: true, table: 'sections' },
    { bits: 32, little: false, table: 'segments' },
  ])('is read from an ELF file: $bits bits, little endian $little, $table', async (kind) => {
    expect(await reading(elf(kind)).id()).toBe(ID)
  })

  it('is none where the file is something else, or has none', async () => {
    const without = elf()
    without.fill(0, 224, 260)
    for (const file of [Buffer.alloc(0), Buffer.from('\u007fELF'), Buffer.alloc(500, 1), without])
      expect(await reading(file).id()).toBeUndefined()
  })

  it('is none or well formed whatever a hostile file says, and no more is read than is bounded', async () => {
    const hostile = fc.record({
      kind: fc.record({
        bits: fc.constantFrom(32, 64),
        little: fc.boolean(),
        table: fc.constantFrom('segments', 'sections'),
      }),
      changes: fc.array(fc.tuple(fc.nat({ max: 399 }), fc.constantFrom(0, 1, 3, 4, 7, 0x7f, 0x80, 0xff)), {
        maxLength: 40,
      }),
      length: fc.integer({ min: 0, max: 400 }),
    })
    await fc.assert(
      fc.asyncProperty(hostile, async ({ kind, changes, length }) => {
        const file = elf(kind)
        for (const [at, byte] of changes) file[at] = byte
        const { read, id } = reading(file.subarray(0, length))
        const found = await id()
        if (found !== undefined) expect(found).toMatch(/^(?:[0-9a-f]{2}){2,64}$/)
        expect(read.calls).toBeLessThan(80)
        expect(read.bytes).toBeLessThan(80 * 400)
      }),
      { numRuns: 2_000 },
    )
  })

  it('of a file that says everything is notes, 4 MiB are read and not more', async () => {
    const file = Buffer.alloc(20 * 1024 * 1024)
    elf({ table: 'sections' }).copy(file)
    file.writeUInt16LE(65_535, 60)
    for (let entry = 0; entry < 16_384; entry++) {
      const at = 100 + entry * 64
      file.writeUInt32LE(7, at + 4)
      file.writeBigUInt64LE(2_000_000n, at + 24)
      file.writeBigUInt64LE(10_000_000n, at + 32)
    }
    const { read, id } = reading(file)
    expect(await id()).toBeUndefined()
    expect(read.bytes).toBeLessThan(6 * 1024 * 1024)
  })
})
