import { expect, it } from '@jest/globals'
import { readSdkBuildId } from './sdk-build-id.js'

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
  const file = hostileFile(1_000_000)
  let reads = 0
  const readAt = (offset: number, length: number) => {
    reads++
    return Promise.resolve(file.subarray(offset, offset + length))
  }
  await expect(readSdkBuildId(readAt, file.length)).resolves.toBeUndefined()
  expect(reads).toBeLessThan(200)
})
