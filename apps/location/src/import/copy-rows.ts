import { pipeline } from 'node:stream/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'

/** Signature, no flags, no extension (PostgreSQL manual, COPY, binary format). */
const HEADER = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1')
const TRAILER = Buffer.from([0xff, 0xff])

/** Rows that are written in one turn of the event loop: look-ups wait less than half a millisecond. */
const ROWS_A_TURN = 1_000

/** 2000-01-01, from which Postgres counts, in milliseconds since 1970. */
const POSTGRES_EPOCH_MS = 946_684_800_000

/** Values of a row as COPY's binary format has them: those that all rows share, and room for the others. */
export const FIELD = {
  /** `bigint` or `double precision`: 0 until something else is written. */
  number: () => Buffer.alloc(8),
  integer: (value: number) => {
    const field = Buffer.alloc(4)
    field.writeInt32BE(value)
    return field
  },
  boolean: (value: boolean) => Buffer.from([Number(value)]),
  uuid: (value: string) => Buffer.from(value.replaceAll('-', ''), 'hex'),
  timestamp: (value: Date) => {
    const field = Buffer.alloc(8)
    field.writeBigInt64BE(BigInt(value.getTime() - POSTGRES_EPOCH_MS) * 1_000n)
    return field
  },
} as const

/** The part that all rows of a COPY have in common. */
export interface RowTemplate {
  readonly bytes: Buffer
  /** Offset of each field. */
  readonly starts: readonly number[]
}

/** @param fields one for each column, in its order ({@link FIELD}) */
export function rowTemplate(fields: readonly Buffer[]): RowTemplate {
  const count = Buffer.alloc(2)
  count.writeInt16BE(fields.length)
  const starts: number[] = []
  const parts: Buffer[] = [count]
  let end = count.length
  for (const field of fields) {
    parts.push(FIELD.integer(field.length), field)
    starts.push(end + 4)
    end += 4 + field.length
  }
  return { bytes: Buffer.concat(parts), starts }
}

/** Writes an address as a `bigint`: 48 bits do not fit into the integers of a DataView, and a BigInt for each would be slow. */
export function writeAddress(view: DataView, start: number, bssid: number): void {
  view.setUint32(start, Math.floor(bssid / 2 ** 32))
  view.setUint32(start + 4, bssid % 2 ** 32)
}

/** Writes what is different in the row that begins at `start`: that of the access point of this number. */
export type WriteRow = (view: DataView, start: number, number: number) => void

/** Template of a table's rows, and the function that writes them. */
export interface RowForm {
  readonly template: RowTemplate
  readonly write: WriteRow
}

/**
 * Adds rows to a table, by `COPY`.
 *
 * @param into the table, and the columns that the template has
 * @param numbers of the access points to write a row of each of
 */
export async function copyInto(
  client: pg.ClientBase,
  into: string,
  numbers: Uint32Array,
  form: RowForm,
): Promise<void> {
  const stream = client.query(copyFrom(`COPY ${into} FROM STDIN (FORMAT binary)`))
  await pipeline(copyRows(form, numbers), stream)
}

/** Writes rows as a file in COPY's binary format, piece by piece. */
async function* copyRows(
  { template: { bytes }, write }: RowForm,
  numbers: Uint32Array,
): AsyncGenerator<Buffer> {
  yield HEADER
  for (let from = 0; from < numbers.length; from += ROWS_A_TURN) {
    const ofTurn = numbers.subarray(from, from + ROWS_A_TURN)
    const piece = Buffer.allocUnsafe(ofTurn.length * bytes.length).fill(bytes)
    const view = new DataView(piece.buffer, piece.byteOffset, piece.length)
    for (let at = 0; at < ofTurn.length; at++) write(view, at * bytes.length, ofTurn[at] ?? 0)
    yield piece
    await nextTurn()
  }
  yield TRAILER
}
