import { count, moment } from './format.js'

/** Types that a cell can show: numbers are aligned to the right and grouped, lists joined; null is a dash. */
type Shown = string | number | boolean | null | undefined | readonly string[]

type FieldOf<Row> = {
  [Name in keyof Row & string]: Row[Name] extends Shown ? Name : never
}[keyof Row & string]

/**
 * A cell for people: the name of a field, or a function for its content. Fields whose names end in `_at` are times, to the minute; null
 * is then "never".
 */
export type Cell<Row> = FieldOf<Row> | ((row: Row) => Shown) | { readonly right: (row: Row) => Shown }

/** The columns of a table, or the fields of a record, by their titles, in the order of their importance. */
export type Cells<Row> = Readonly<Record<string, Cell<Row> | undefined>>

/** Returns the content of a cell. */
export function contentOf<Row>(cell: Cell<Row>, row: Row): Shown {
  if (typeof cell === 'function') return cell(row)
  if (typeof cell === 'object') return cell.right(row)
  const value = row[cell as keyof Row] as Shown // the type of such fields
  return cell.endsWith('_at') && (typeof value === 'string' || value === null) ? moment(value) : value
}

/** Returns a content as one text. */
export function textOf(content: Shown): string {
  switch (typeof content) {
    case 'string':
      return content
    case 'number':
      return count(content)
    case 'boolean':
      return content ? 'yes' : 'no'
    case 'undefined':
      return '–'
    default:
      return content === null ? '–' : content.join(', ')
  }
}

/** Returns the fields of a record as {@link Output.record} prints them. Undefined ones are left out. */
export function fieldsOf<Row>(
  cells: Cells<Row>,
  row: Row,
): Record<string, string | readonly string[] | undefined> {
  return Object.fromEntries(
    Object.entries(cells).map(([title, cell]) => {
      const content = cell === undefined ? undefined : contentOf(cell, row)
      return [title, Array.isArray(content) || content === undefined ? content : textOf(content)]
    }),
  )
}
