import stringWidth from 'string-width'

/** A column as far as its place on a terminal goes. */
export interface Measured {
  readonly head: string
  /** Characters of its longest cell. */
  readonly width: number
}

const GAP = 2
/** A text is not cut below this many characters, before another column is left out. */
const LEAST = 16

/** Returns true if a column has arguments of other commands: half of one is of no use. */
function isExact(head: string): boolean {
  return /(?:^|\s)(?:id|slug|sha-?256)$/i.test(head)
}

/** Returns the columns in the order of a table: ids are the last, as they are long and for programs. */
export function idsLast<Column extends readonly [head: string, ...rest: unknown[]]>(
  columns: readonly Column[],
): Column[] {
  const isId = ([head]: Column) => /^id$/i.test(head)
  return [...columns.filter((column) => !isId(column)), ...columns.filter(isId)]
}

/**
 * Fits columns to a terminal: long texts are cut first, then columns are left out, the last first. The first column stays, and so do
 * ids. Columns after the first are in the order of their importance.
 *
 * @param room characters of a line
 * @returns the width of each column; 0: left out
 */
export function fitColumns(columns: readonly Measured[], room: number): number[] {
  const shown = columns.map(() => true)
  const least = ({ head, width }: Measured) => (isExact(head) ? width : Math.min(width, LEAST))
  const needed = (width: (column: Measured) => number) =>
    columns.reduce((sum, column, index) => sum + (shown[index] ? width(column) + GAP : 0), -GAP)
  for (let index = columns.length - 1; index > 0 && needed(least) > room; index--)
    if (!isExact(columns[index]?.head ?? '')) shown[index] = false
  for (let index = columns.length - 1; index > 0 && needed(least) > room; index--) shown[index] = false
  let spare = room - needed(least)
  return columns.map((column, index) => {
    if (!shown[index]) return 0
    const more = Math.max(0, Math.min(spare, column.width - least(column)))
    spare -= more
    return least(column) + more
  })
}

/** Returns how many characters of a terminal a text takes. */
export function widthOf(text: string): number {
  return /^[ -~]*$/.test(text) ? text.length : stringWidth(text)
}

/** Returns a text of exactly this width: cut, or filled with spaces. */
export function fitted(text: string, width: number, align: 'left' | 'right'): string {
  const cut = widthOf(text) > width ? `${start(text, width - 1)}…` : text
  const spaces = ' '.repeat(width - widthOf(cut))
  return align === 'right' ? spaces + cut : cut + spaces
}

function start(text: string, width: number): string {
  let kept = ''
  for (const character of text) {
    if (widthOf(kept + character) > width) break
    kept += character
  }
  return kept
}
