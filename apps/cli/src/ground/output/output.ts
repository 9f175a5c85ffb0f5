import Table from 'cli-table3'
import type { TableConstructorOptions } from 'cli-table3'
import type { Presentation } from '../flags.js'
import { fitColumns, idsLast } from './fit-columns.js'
import { documentText, itemsOf, jsonLine, type Format } from './documents.js'
import type { JqFilter } from './jq-filter.js'
import { qrCode } from './qr-code.js'
import { sanitize } from './sanitize.js'
import type { Secrets } from './secrets.js'

export interface OutputStream {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

/** A column of a table: its heading, its value, and `right` for numbers. */
export type Column<Row> = readonly [head: string, cell: (row: Row) => string, align?: 'right']

const STYLES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const
export type Style = keyof typeof STYLES

const NO_BORDER = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '  ',
}
const PLAIN = { chars: NO_BORDER, style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 } }
/** Before each line of a table on a terminal. */
const MARGIN = 2
/** Rows that are laid out together. */
const PART_ROWS = 100

/**
 * Prints results to standard output, as a table or as a document for programs, and everything else to standard error. Text
 * of others is sanitized, and standard error never contains a secret.
 */
export class Output {
  /** Whether a program reads the results: they are one document, and there are no messages for people. */
  readonly forPrograms: boolean
  readonly verbose: boolean
  readonly format: Format
  /** What results for programs go through. */
  filter: JqFilter | undefined

  constructor(
    private readonly stdout: OutputStream,
    private readonly stderr: OutputStream,
    private readonly secrets: Secrets,
    private readonly presentation: Presentation,
  ) {
    this.format = presentation.format
    this.forPrograms = this.format !== 'table'
    this.verbose = presentation.verbose
  }

  /** Whether lines on standard error can be redrawn, as progress bars do. */
  get canRedraw(): boolean {
    return Boolean(this.stderr.isTTY) && !this.forPrograms && !this.verbose
  }

  /** Width of the terminal in characters. */
  get width(): number {
    return this.stderr.columns ?? 80
  }

  /**
   * Prints a list.
   *
   * @param empty what people read on standard error if there are no rows; null: nothing
   * @param value what programs read
   */
  table<Row>(
    rows: readonly Row[],
    columns: readonly Column<Row>[],
    empty: string | null,
    value: unknown = rows,
  ): void {
    if (this.document(value)) return
    if (rows.length === 0) {
      if (empty !== null) this.say(empty)
      return
    }
    const ordered = idsLast(columns)
    const heads = ordered.map(([head]) => head.toUpperCase())
    const cells = rows.map((row) => ordered.map(([, cell]) => sanitize(cell(row))))
    const all = [heads.map((head) => this.paintOut(head, 'dim')), ...cells]
    const colAligns = ordered.map(([, , align]) => align ?? ('left' as const))
    const widths = this.fitted(ordered, all)
    if (!widths) {
      this.printParts(all, { ...PLAIN, colAligns })
      return
    }
    const isShown = (_: unknown, column: number) => (widths[column] ?? 0) > 0
    this.printParts(
      all.map((row) => row.filter(isShown)),
      { ...PLAIN, colAligns: colAligns.filter(isShown), colWidths: widths.filter((width) => width > 0) },
    )
    const hidden = heads.filter((_, column) => !isShown(_, column))
    if (hidden.length > 0) this.say(this.paint(`Not shown: ${hidden.join(', ')} (--wide shows all)`, 'dim'))
  }

  /** Returns the widths of columns that do not fit the terminal; undefined if they do, or nothing must be cut. */
  private fitted<Row>(
    columns: readonly Column<Row>[],
    rows: readonly string[][],
  ): readonly number[] | undefined {
    if (!this.stdout.isTTY || this.presentation.wide) return undefined
    const natural = widthsOf(rows, PLAIN)
    const room = (this.stdout.columns ?? 80) - MARGIN
    const widths = fitColumns(
      columns.map(([head], column) => ({ head, width: natural[column] ?? 0 })),
      room,
    )
    return widths.every((width, column) => width === natural[column]) ? undefined : widths
  }

  /** Lays out many rows in parts of equal width, because the time of a table grows with the square of its rows. */
  private printParts(rows: readonly string[][], options: TableConstructorOptions): void {
    const parts = partsOf(rows)
    const colWidths = options.colWidths ?? (parts.length > 1 ? widthsOf(rows, options) : undefined)
    for (const part of parts) {
      const { text } = laidOut(part, { ...options, ...(colWidths && { colWidths }) })
      this.print(indent(text, Boolean(this.stdout.isTTY)))
    }
  }

  /** Prints the fields of a record, one per line, without undefined ones. A list has a line for each item. */
  record(fields: Readonly<Record<string, string | readonly string[] | undefined>>, value: unknown): void {
    if (this.document(value)) return
    const table = new Table(PLAIN)
    for (const [name, value] of Object.entries(fields)) {
      const lines = value === undefined ? [] : typeof value === 'string' ? [value] : value
      lines.forEach((line, index) => {
        table.push([index === 0 ? this.paintOut(name, 'dim') : '', sanitize(line)])
      })
    }
    this.print(indent(table.toString(), Boolean(this.stdout.isTTY)))
  }

  /**
   * Prints a value in the format that a program asked for.
   *
   * @returns false if nothing was printed, because people read the results
   */
  document(value: unknown): boolean {
    const { format, filter } = this
    if (format === 'table') return false
    if (filter) for (const part of format === 'ndjson' ? itemsOf(value) : [value]) this.line(part)
    else this.printText(documentText(value, format))
    return true
  }

  /** Prints one item of a list that has no end, or does not fit into memory, as a line of JSON. */
  line(value: unknown): void {
    this.printText(this.filter ? this.filter.apply(value) : jsonLine(value))
  }

  private printText(text: string): void {
    if (text !== '') this.print(text)
  }

  /** Prints text unchanged to standard output. It must not contain text of others. */
  print(text: string): void {
    this.stdout.write(`${text}\n`)
  }

  /**
   * Prints a QR code on a terminal that is wide enough. Its content must be printed as text too, because not everybody can
   * see the code.
   */
  qrCode(text: string): void {
    if (this.forPrograms || !this.stdout.isTTY) return
    const plain = qrCode(text, false)
    if ((plain[0]?.length ?? 0) > (this.stdout.columns ?? 80)) return
    this.print(qrCode(text, this.stdoutHasColor).join('\n'))
  }

  /** Prints a success message. */
  done(text: string): void {
    this.say(`${this.paint('✓', 'green')} ${text}`)
  }

  /** Prints a warning. */
  notice(text: string): void {
    this.say(`${this.paint('!', 'yellow')} ${text}`)
  }

  /** Prints a message for people. */
  say(text: string): void {
    if (!this.forPrograms) this.report(text)
  }

  /** Writes a line to standard error. */
  report(line: string): void {
    this.stderr.write(`${this.secrets.hide(line)}\n`)
  }

  /** Prints a prompt to standard error, without a line break. */
  prompt(text: string): void {
    this.stderr.write(text)
  }

  /** Redraws the current line of standard error. Only if {@link canRedraw}. */
  redraw(line: string): void {
    this.stderr.write(`\r\u001b[K${this.secrets.hide(line)}`)
  }

  /** Styles text for standard error, if supported. */
  paint(text: string, style: Style): string {
    return this.hasColor(this.stderr) ? painted(text, style) : text
  }

  /** Whether help on standard output has colors. */
  get stdoutHasColor(): boolean {
    return this.hasColor(this.stdout)
  }

  private paintOut(text: string, style: Style): string {
    return this.stdoutHasColor ? painted(text, style) : text
  }

  private hasColor(stream: OutputStream): boolean {
    return Boolean(stream.isTTY) && !this.presentation.noColor && !this.forPrograms
  }
}

/** Returns a table as text, with the width of its columns. */
function laidOut(rows: readonly string[][], options: TableConstructorOptions) {
  const table = new Table(options)
  for (const row of rows) table.push(row)
  const text = table.toString()
  return { text, widths: table.options.colWidths.map((width) => width ?? 0) }
}

/** Returns the width of each column, which many rows have in parts. */
function widthsOf(rows: readonly string[][], options: TableConstructorOptions): number[] {
  const widths: number[] = []
  for (const part of partsOf(rows))
    laidOut(part, options).widths.forEach((width, column) => {
      widths[column] = Math.max(widths[column] ?? 0, width)
    })
  return widths
}

function partsOf(rows: readonly string[][]): string[][][] {
  return Array.from({ length: Math.ceil(rows.length / PART_ROWS) }, (_, part) =>
    rows.slice(part * PART_ROWS, (part + 1) * PART_ROWS),
  )
}

function painted(text: string, style: Style): string {
  return `\u001b[${String(STYLES[style])}m${text}\u001b[0m`
}

/** Removes the left margin of a table in files. */
function indent(text: string, indented: boolean): string {
  const lines = text.split('\n').map((line) => line.trimEnd())
  return lines.map((line) => (indented && line ? `  ${line}` : line)).join('\n')
}
