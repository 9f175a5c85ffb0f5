import { CsvError, parse, type InfoRecord } from 'csv-parse/sync'

/** A row of a file. */
export interface CsvRow {
  /** Undefined if the row is malformed: its quotes are not balanced, or it is too long. */
  readonly fields: readonly string[] | undefined
  /** The line on which it ends, from 1. */
  readonly line: number
}

/** Limits of the rows of a file. */
export interface CsvOptions {
  /** Longer rows are malformed, in bytes: memory is bounded. */
  readonly maxBytes: number
  /** The longest field that may have line breaks, in characters (default: as a row). */
  readonly maxLinesField?: number
  /** True if lines that start with `#` are comments. */
  readonly hasComments?: boolean
}

/** Lines that start so soon behind an open quote are a part of what it quotes, in bytes: names of networks have at most 32. */
const QUOTED_BYTES = 128
const [LF, QUOTE] = [0x0a, 0x22]
const TEXT = new TextDecoder('utf-8', { ignoreBOM: true })
const LINE = { relax_column_count: true, record_delimiter: ['\r\n', '\n'] }

/**
 * Reads CSV (RFC 4180) in constant memory: a quoted line break never begins a row. Empty lines are skipped.
 *
 * A file of a program that does not quote names may have a single quote in one. Such a row is malformed, and costs itself and the rows
 * that begin within 128 bytes, so that what it quotes is never read as a row. Quotes within a field of one line are read as they stand.
 *
 * @param chunks the bytes of the file, in UTF-8
 * @returns the rows of each chunk
 */
export async function* readCsv(
  chunks: AsyncIterable<Uint8Array>,
  options: CsvOptions,
): AsyncGenerator<CsvRow[]> {
  const reader = new CsvReader(options)
  const [decoder, encoder] = [new TextDecoder(), new TextEncoder()]
  // Only valid UTF-8 has the same length as text and as bytes. In browsers csv-parse reads nothing but text.
  for await (const chunk of chunks) yield reader.read(encoder.encode(decoder.decode(chunk, { stream: true })))
  yield reader.read(encoder.encode(decoder.decode()))
  yield reader.end()
}

class CsvReader {
  private rows: CsvRow[] = []
  /** Bytes since the last complete row. */
  private pending: Uint8Array = new Uint8Array()
  /** Lines before {@link pending}. */
  private lines = 0
  /** Bytes of {@link pending} in which rows begin that are malformed. */
  private guarded = 0
  /** True while the rest of a line that is too long is skipped. */
  private isSkipping = false

  constructor(private readonly options: CsvOptions) {}

  read(chunk: Uint8Array): CsvRow[] {
    this.pending = this.pending.length > 0 ? joined(this.pending, chunk) : chunk
    while (this.skip() && this.parse(this.pending.lastIndexOf(LF) + 1, false));
    return this.taken()
  }

  /** Returns the rest. A row whose quote is still open is malformed, with all that it quotes. */
  end(): CsvRow[] {
    while (this.skip() && this.parse(this.pending.length, true));
    return this.taken()
  }

  private taken(): CsvRow[] {
    const { rows } = this
    this.rows = []
    return rows
  }

  /** Skips the rest of a line that is too long. @returns false if it has not ended */
  private skip(): boolean {
    if (!this.isSkipping) return true
    const end = this.pending.indexOf(LF)
    this.isSkipping = end < 0
    this.consume(end < 0 ? this.pending.length : end + 1)
    return !this.isSkipping
  }

  /**
   * Reads rows.
   *
   * @param length of the complete lines
   * @returns whether there is more to read
   */
  private parse(length: number, isLast: boolean): boolean {
    if (length === 0) {
      if (this.pending.length > this.options.maxBytes) this.refuseLine()
      return this.isSkipping && this.pending.length > 0
    }
    const { end, fault } = this.parseRows(this.pending.subarray(0, length))
    if (fault === undefined) {
      this.consume(length)
      return false
    }
    this.consume(end)
    const isOpen = fault === 'open' && this.pending.length <= this.options.maxBytes
    if (isOpen && !isLast) return false
    this.refuseLine()
    return this.pending.length > 0
  }

  /** @returns the end of the last row, and what is wrong with the next one */
  private parseRows(bytes: Uint8Array): { readonly end: number; readonly fault?: 'open' | 'wrong' } {
    const { maxBytes, maxLinesField = maxBytes, hasComments = false } = this.options
    let [end, line] = [0, 0]
    const keep = (fields: string[], info: InfoRecord): undefined => {
      const lines = linesIn(bytes.subarray(end, info.bytes))
      if (lines > 1 && fields.some((field) => field.length > maxLinesField && field.includes('\n')))
        throw new RangeError('a field with line breaks is too long')
      line += Math.max(1, lines)
      this.add(end < this.guarded ? undefined : fields, this.lines + line)
      end = info.bytes
    }
    try {
      parse(TEXT.decode(bytes), {
        ...(hasComments && { comment: '#', comment_no_infix: true }),
        bom: this.lines === 0,
        record_delimiter: ['\r\n', '\n'],
        relax_column_count: true,
        skip_empty_lines: true,
        max_record_size: maxBytes,
        on_record: keep,
      })
      return { end }
    } catch (error) {
      if (!(error instanceof RangeError || error instanceof CsvError)) throw error
      return { end, fault: 'code' in error && error.code === 'CSV_QUOTE_NOT_CLOSED' ? 'open' : 'wrong' }
    }
  }

  /** Reads the first line alone: with it a row begins whose quotes are wrong, or that is too long. */
  private refuseLine(): void {
    const { pending } = this
    const end = pending.indexOf(LF)
    const line = pending.subarray(0, end < 0 ? pending.length : end)
    const literal = end < 0 || end > this.options.maxBytes ? undefined : literalOf(line)
    this.add(this.guarded > 0 ? undefined : literal, this.lines + 1)
    const quote = line.lastIndexOf(QUOTE)
    if (!literal && quote >= 0) this.guarded = Math.max(this.guarded, quote + QUOTED_BYTES)
    this.isSkipping = end < 0
    this.consume(end < 0 ? pending.length : end + 1)
  }

  private consume(length: number): void {
    this.lines += linesIn(this.pending.subarray(0, length))
    this.guarded = Math.max(0, this.guarded - length)
    this.pending = this.pending.subarray(length)
  }

  private add(fields: readonly string[] | undefined, line: number): void {
    this.rows.push({ fields, line })
  }
}

/** Returns the fields of a line whose quotes are not those of CSV, as they stand; undefined if one of them is still open at its end. */
function literalOf(line: Uint8Array): readonly string[] | undefined {
  const text = new TextDecoder().decode(line).replace(/\r$/, '')
  try {
    parse(text, LINE)
  } catch (error) {
    if (error instanceof CsvError && error.code !== 'CSV_QUOTE_NOT_CLOSED') return text.split(',')
  }
  return undefined
}

/** Returns the fields of one line, such as a header; undefined if its quotes are not balanced. */
export function fieldsOf(line: string): readonly string[] | undefined {
  try {
    const [fields = []] = parse(line, LINE)
    return fields
  } catch (error) {
    if (error instanceof CsvError) return undefined
    throw error
  }
}

function linesIn(bytes: Uint8Array): number {
  let lines = 0
  for (let at = bytes.indexOf(LF); at >= 0; at = bytes.indexOf(LF, at + 1)) lines++
  return lines
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  const all = new Uint8Array(one.length + other.length)
  all.set(one)
  all.set(other, one.length)
  return all
}
