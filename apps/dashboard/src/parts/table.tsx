import { useState, type ReactNode } from 'react'
import { SortHead } from './sort-head.js'

export interface Column<Row> {
  readonly title: string
  readonly cell: (row: Row) => ReactNode
  /** Names the row. Exactly one column does. */
  readonly isRowHeader?: boolean
  /** Buttons at the end of a row: the title is for screen readers only. */
  readonly isActions?: boolean
  /** Right-aligned figures. */
  readonly isNumeric?: boolean
  /** Makes the column one that orders the rows, by this value; null stands last. Only where `rows` is the whole list. */
  readonly sortBy?: (row: Row) => string | number | null
}

interface Props<Row> {
  /** Names the table for screen readers, if no heading above it does. */
  readonly caption?: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  /** Takes the place of the table if it has no rows. */
  readonly empty?: string
  readonly idOf: (row: Row) => string
  readonly lookOf?: (row: Row) => string | undefined
  /** The row that is shown elsewhere too. */
  readonly isCurrent?: (row: Row) => boolean
  /** The part of the rows that is shown, once they are in order. Left out: all. */
  readonly page?: { readonly at: number; readonly size: number }
}

interface Sort {
  readonly title: string
  readonly order: 'ascending' | 'descending'
}

/** A table of at most a few hundred rows. On narrow screens each row becomes a card whose cells carry the titles of their columns. */
export function Table<Row>({ caption, columns, rows, empty, idOf, lookOf, isCurrent, page }: Props<Row>) {
  const [sort, setSort] = useState<Sort>()
  if (rows.length === 0 && empty !== undefined) return <p className="quiet">{empty}</p>
  const sorted = sortedBy(rows, columns, sort)
  const shown = page ? sorted.slice((page.at - 1) * page.size, page.at * page.size) : sorted
  return (
    <div className="table-frame">
      <table>
        {caption !== undefined && <caption className="visually-hidden">{caption}</caption>}
        <thead>
          <tr>
            {columns.map((column) =>
              column.sortBy ? (
                <SortHead
                  key={column.title}
                  title={column.title}
                  className={lookFor(column)}
                  order={sort?.title === column.title ? sort.order : undefined}
                  onSort={() => setSort(nextSort(sort, column.title))}
                />
              ) : (
                <th key={column.title} scope="col" className={lookFor(column)}>
                  {column.isActions ? <span className="visually-hidden">{column.title}</span> : column.title}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <tr key={idOf(row)} className={lookOf?.(row)} {...(isCurrent?.(row) && { 'aria-current': true })}>
              {columns.map((column) =>
                column.isRowHeader ? (
                  <th key={column.title} scope="row">
                    {column.cell(row)}
                  </th>
                ) : (
                  <td
                    key={column.title}
                    className={lookFor(column)}
                    {...(!column.isActions && { 'data-label': column.title })}
                  >
                    {column.cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Up, down, and the order that the list came in. */
function nextSort(sort: Sort | undefined, title: string): Sort | undefined {
  if (sort?.title !== title) return { title, order: 'ascending' }
  return sort.order === 'ascending' ? { title, order: 'descending' } : undefined
}

function sortedBy<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  sort: Sort | undefined,
): readonly Row[] {
  const valueOf = columns.find(({ title }) => title === sort?.title)?.sortBy
  if (!sort || !valueOf) return rows
  const direction = sort.order === 'ascending' ? 1 : -1
  return rows.toSorted((one, other) => {
    const [left, right] = [valueOf(one), valueOf(other)]
    if (left === null || right === null) return Number(left === null) - Number(right === null)
    return (
      direction *
      (typeof left === 'number' && typeof right === 'number' ? left - right : compare(left, right))
    )
  })
}

function compare(left: string | number, right: string | number): number {
  return String(left).localeCompare(String(right), undefined, { numeric: true })
}

function lookFor({ isActions, isNumeric }: Column<never>): string | undefined {
  return isActions ? 'end' : isNumeric ? 'number' : undefined
}
