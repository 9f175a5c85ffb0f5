import type { GatheredPlace } from '@bearing/positioning/gathered-places'

/** Signature, no flags, no extension (PostgreSQL manual, COPY, binary format). */
const HEADER = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1')
const TRAILER = Buffer.from([0xff, 0xff])

const COLUMNS = 7
const VALUE_BYTES = 8
const TUPLE_BYTES = 2 + COLUMNS * (4 + VALUE_BYTES)
/** Tuples that are written at once: few enough that a look-up never waits for long. */
const PIECE = 2_000

/** Writes places as a file in COPY's binary format, piece by piece, for the columns of `gathered` (merge-statements.ts). */
export function* copyPlaces(places: Iterable<GatheredPlace>): Generator<Buffer> {
  yield HEADER
  let piece = Buffer.allocUnsafe(PIECE * TUPLE_BYTES)
  let end = 0
  for (const place of places) {
    end = writeTuple(piece, end, place)
    if (end < piece.length) continue
    yield piece
    piece = Buffer.allocUnsafe(PIECE * TUPLE_BYTES)
    end = 0
  }
  yield piece.subarray(0, end)
  yield TRAILER
}

function writeTuple(piece: Buffer, start: number, place: GatheredPlace): number {
  let end = piece.writeInt16BE(COLUMNS, start)
  for (const integer of [place.bssid, place.observations]) {
    end = piece.writeInt32BE(VALUE_BYTES, end)
    // 48 bits do not fit into the integers that a Buffer writes, and a BigInt for each would be slow.
    end = piece.writeUInt32BE(Math.floor(integer / 2 ** 32), end)
    end = piece.writeUInt32BE(integer % 2 ** 32, end)
  }
  for (const real of [place.weight, place.x, place.y, place.z, place.squares]) {
    end = piece.writeInt32BE(VALUE_BYTES, end)
    end = piece.writeDoubleBE(real, end)
  }
  return end
}
