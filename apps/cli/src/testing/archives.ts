import { crc32, deflateRawSync } from 'node:zlib'

/** A little-endian 32-bit ELF file of one segment of notes, which has a build id, and more bytes after it. */
export function elf(buildId: Buffer, more = 0): Buffer {
  const header = Buffer.alloc(52)
  header.write('\u007fELF', 0, 'latin1')
  header.set([1, 1, 1], 4)
  header.writeUInt32LE(52, 28)
  header.writeUInt16LE(32, 42)
  header.writeUInt16LE(1, 44)
  const segment = Buffer.alloc(32)
  segment.writeUInt32LE(4, 0)
  segment.writeUInt32LE(84, 4)
  segment.writeUInt32LE(16 + buildId.length, 16)
  const note = Buffer.alloc(16)
  note.writeUInt32LE(4, 0)
  note.writeUInt32LE(buildId.length, 4)
  note.writeUInt32LE(3, 8)
  note.write('GNU\0', 12, 'latin1')
  return Buffer.concat([header, segment, note, buildId, Buffer.alloc(more, 'x')])
}

/** A zip archive (APPNOTE 4.3) of entries that are deflated. */
export function zip(entries: Readonly<Record<string, Buffer>>): Buffer {
  const locals: Buffer[] = []
  const central: Buffer[] = []
  let at = 0
  for (const [name, content] of Object.entries(entries)) {
    const packed = deflateRawSync(content)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(8, 4)
    common.writeUInt32LE(crc32(content), 10)
    common.writeUInt32LE(packed.length, 14)
    common.writeUInt32LE(content.length, 18)
    common.writeUInt16LE(Buffer.byteLength(name), 22)
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), common, Buffer.from(name), packed])
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(at, 10)
    central.push(Buffer.from('PK\u0001\u0002\u0014\0'), common, rest, Buffer.from(name))
    locals.push(local)
    at += local.length
  }
  const directory = Buffer.concat(central)
  const end = Buffer.alloc(22)
  end.write('PK\u0005\u0006', 0)
  end.writeUInt16LE(Object.keys(entries).length, 8)
  end.writeUInt16LE(Object.keys(entries).length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...locals, directory, end])
}
