import type { Presentation } from '../flags.js'
import { contentOf, fieldsOf, textOf, type Cells } from './cells.js'
import { fitColumns, fitted, idsLast, widthOf } from './fit-columns.js'
import { documentText, itemsOf, jsonLine, type Format } from './documents.js'
import type { JqFilter } from './jq-filter.js'
import { sanitize } from './sanitize.js'
import type { Secrets } from './secrets.js'

export interface OutputStream {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

const STYLES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const
export type Style = keyof typeof STYLES

/** Before each line of a table on a terminal. */
const MARGIN = 2
const GAP = '  '

/**
 * Prints results to standard output, as a table or as a document for programs, and everything else to standard error. Text
 * of others is sanitized, and standard error never contains a secret.
 */
export class Output {
  /** True if a program reads the results: they are one document, and there are no messages for people. */
  readonly forPrograms: boolean
  readonly verbose: boolean
  readonly format: Format
  /** Filter of results for programs. */
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

  /** True if lines on standard error can be redrawn, as progress bars do. */
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
  table<Row>(rows: readonly Row[], columns: Cells<Row>, empty: string | null, value: unknown = rows): void {
    if (this.document(value)) return
    if (rows.length === 0) {
      if (empty !== null) this.say(empty)
      return
    }
    const all = idsLast(Object.entries(columns)).flatMap(([title, cell]) => {
      if (cell === undefined) return []
      const contents = rows.map((row) => contentOf(cell, row))
      const texts = contents.map((content) => sanitize(textOf(content)))
      const isRight = typeof cell === 'object' || contents.some((content) => typeof content === 'number')
      const head = title.toUpperCase()
      const width = longest([head, ...texts])
      return [{ head, texts, width, align: isRight ? ('right' as const) : ('left' as const) }]
    })
    const mayBeWide = !this.stdout.isTTY || this.presentation.wide
    const widths = mayBeWide
      ? all.map(({ width }) => width)
      : fitColumns(all, (this.stdout.columns ?? 80) - MARGIN)
    const shown = all.flatMap((column, index) => ({ ...column, width: widths[index] ?? 0 }))
    const printed = shown.filter(({ width }) => width > 0)
    const heads = printed.map(({ head, width, align }) => {
      const text = fitted(head, width, align)
      return text.replace(text.trim(), (word) => this.paintOut(word, 'dim'))
    })
    const lines = rows.map((_, row) =>
      printed.map(({ texts, width, align }) => fitted(texts[row] ?? '', width, align)).join(GAP),
    )
    this.printLines([heads.join(GAP), ...lines])
    const hidden = shown.filter(({ width }) => width === 0).map(({ head }) => head)
    if (hidden.length > 0) this.say(this.paint(`Not shown: ${hidden.join(', ')} (--wide shows all)`, 'dim'))
  }

  /** Prints lines, on a terminal with a margin. */
  private printLines(lines: readonly string[]): void {
    const margin = this.stdout.isTTY ? ' '.repeat(MARGIN) : ''
    this.print(lines.map((line) => `${margin}${line}`.trimEnd()).join('\n'))
  }

  /** Prints fields of a value as {@link record} does. */
  show<Value>(value: Value, cells: Cells<Value>): void {
    this.record(fieldsOf(cells, value), value)
  }

  /** Prints the fields of a record, one per line, without undefined ones. A list has a line for each item. */
  record(fields: Readonly<Record<string, string | readonly string[] | undefined>>, value: unknown): void {
    if (this.document(value)) return
    const given = Object.entries(fields).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as const],
    )
    const width = longest(given.map(([name]) => name))
    const lines = given.flatMap(([name, value]) =>
      (typeof value === 'string' ? [value] : value).map((line, index) => {
        const title = index === 0 ? name : ''
        return `${this.paintOut(title, 'dim')}${' '.repeat(width - widthOf(title))}${GAP}${sanitize(line)}`
      }),
    )
    this.printLines(lines)
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
  async qrCode(text: string): Promise<void> {
    if (this.forPrograms || !this.stdout.isTTY) return
    const { qrCode } = await import('./qr-code.js')
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

  /** True if help on standard output has colors. */
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

function painted(text: string, style: Style): string {
  return `\u001b[${String(STYLES[style])}m${text}\u001b[0m`
}

/** Returns the width of the longest text. */
function longest(texts: readonly string[]): number {
  return texts.reduce((width, text) => Math.max(width, widthOf(text)), 0)
}
