import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inflateSync } from 'node:zlib'

/** Zoom of the closest tiles of an archive. */
const MAX_ZOOM = 14
const HEADER_BYTES = 127
/** Coordinates of a vector tile. */
const EXTENT = 4_096
const NO_COMPRESSION = 1

/** Types of the tiles of an archive, as its header names them. */
const TILE_TYPES = { mvt: 1, png: 2 } as const

/** A PNG of one pixel of {@link MAGENTA_RGB}, which no map of Bearing has. */
export const MAGENTA = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z/AfAAQAAf8iCjrwAAAAAElFTkSuQmCC',
  'base64',
)
export const MAGENTA_RGB = [255, 0, 255]

/**
 * Returns a PMTiles archive (version 3) that has the same tile everywhere from zoom 0 to 14: one entry with a run length.
 *
 * @see https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md
 */
export function pmtilesOf(type: keyof typeof TILE_TYPES, tile: Buffer): Buffer {
  const tiles = (4 ** (MAX_ZOOM + 1) - 1) / 3
  // Entries, then of each the id, run length, length, and offset + 1.
  const directory = Buffer.concat([1, 0, tiles, tile.length, 1].map(varint))
  const metadata = Buffer.from('{}')
  const header = Buffer.alloc(HEADER_BYTES)
  header.write('PMTiles')
  header.writeUInt8(3, 7)
  const metadataAt = HEADER_BYTES + directory.length
  const tilesAt = metadataAt + metadata.length
  const places = [
    HEADER_BYTES,
    directory.length,
    metadataAt,
    metadata.length,
    tilesAt,
    0,
    tilesAt,
    tile.length,
  ]
  const numbers = [...places, tiles, 1, 1]
  numbers.forEach((number, index) => header.writeBigUInt64LE(BigInt(number), 8 + 8 * index))
  const bytes = [1, NO_COMPRESSION, NO_COMPRESSION, TILE_TYPES[type], 0, MAX_ZOOM]
  bytes.forEach((byte, index) => header.writeUInt8(byte, 96 + index))
  const bounds = [-180, -85, 180, 85]
  bounds.forEach((degrees, index) => header.writeInt32LE(degrees * 1e7, 102 + 4 * index))
  return Buffer.concat([header, directory, metadata, tile])
}

/** Returns a vector tile (Mapbox Vector Tile 2) whose layer covers all of it. */
export function vectorTile(layer: string): Buffer {
  const [start, far, back] = [0, 2 * EXTENT, 2 * EXTENT - 1] // zigzag of 0, the extent, and its negative
  // MoveTo, LineTo three times, ClosePath: a square, clockwise.
  const square = Buffer.concat([9, start, start, 26, far, 0, 0, far, back, 0, 15].map(varint))
  const feature = Buffer.concat([number(3, 3), bytes(4, square)])
  return bytes(
    3,
    Buffer.concat([number(15, 2), bytes(1, Buffer.from(layer)), bytes(2, feature), number(5, EXTENT)]),
  )
}

/** Returns red, green and blue of a PNG of one pixel: without neighbors, every filter leaves the bytes as they are. */
export function colorOfPixel(png: Buffer): number[] {
  const data: Buffer[] = []
  for (let at = 8; at < png.length;) {
    const [length, start] = [png.readUInt32BE(at), at + 8]
    if (png.toString('latin1', at + 4, start) === 'IDAT') data.push(png.subarray(start, start + length))
    at = start + length + 4
  }
  return [...inflateSync(Buffer.concat(data)).subarray(1, 4)]
}

/** Fields of Protocol Buffers. */
const number = (field: number, value: number) => Buffer.concat([varint(8 * field), varint(value)])
const bytes = (field: number, value: Buffer) =>
  Buffer.concat([varint(8 * field + 2), varint(value.length), value])

function varint(value: number): Buffer {
  const groups: number[] = []
  for (let rest = value; groups.length === 0 || rest > 0; rest = Math.floor(rest / 128))
    groups.push((rest % 128) + (rest >= 128 ? 128 : 0))
  return Buffer.from(groups)
}

/** A web server on another origin than the dashboard's, as operators have it: ranges (RFC 9110 §14), and CORS for every origin. */
export class FileServer implements AsyncDisposable {
  /** Ranges that were requested, by path; `whole` for a request without one. */
  readonly requested: string[] = []
  private readonly server = createServer((request, reply) => {
    const file = this.files[request.url ?? '']
    const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '')
    reply.setHeader('access-control-allow-origin', '*')
    reply.setHeader('access-control-allow-headers', 'range')
    if (request.method === 'OPTIONS') return void reply.writeHead(204).end()
    this.requested.push(`${request.url ?? ''} ${range?.[0] ?? 'whole'}`)
    if (!file) return void reply.writeHead(404).end()
    if (!range) return void reply.writeHead(200).end(file)
    const part = file.subarray(Number(range[1]), Number(range[2]) + 1)
    const from = Number(range[1])
    reply.setHeader('content-range', `bytes ${from}-${from + part.length - 1}/${file.length}`)
    reply.writeHead(206).end(part)
  })

  private constructor(private readonly files: Readonly<Record<string, Buffer>>) {}

  /** @param files by path */
  static async start(files: Readonly<Record<string, Buffer>>): Promise<FileServer> {
    const server = new FileServer(files)
    await new Promise<void>((resolve) => server.server.listen(0, '127.0.0.1', resolve))
    return server
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.server.closeAllConnections()
    await new Promise((resolve) => this.server.close(resolve))
  }
}
