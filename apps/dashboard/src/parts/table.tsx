import type { ReactNode } from 'react'

export interface Column<Row> {
  readonly title: string
  readonly cell: (row: Row) => ReactNode
  /** Names the row. Exactly one column does. */
  readonly isRowHeader?: boolean
  /** Buttons at the end of a row: the title is for screen readers only. */
  readonly isActions?: boolean
  /** Right-aligned figures. */
  readonly isNumeric?: boolean
}

interface Props<Row> {
  /** Names the table for screen readers, if no heading above it does. */
  readonly caption?: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly idOf: (row: Row) => string
  readonly lookOf?: (row: Row) => string | undefined
}

/** A table of at most a few hundred rows. On narrow screens each row becomes a card whose cells carry the titles of their columns. */
export function Table<Row>({ caption, columns, rows, idOf, lookOf }: Props<Row>) {
  return (
    <div className="table-frame">
      <table>
        {caption !== undefined && <caption className="visually-hidden">{caption}</caption>}
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.title} scope="col" className={lookFor(column)}>
                {column.isActions ? <span className="visually-hidden">{column.title}</span> : column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={idOf(row)} className={lookOf?.(row)}>
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

function lookFor({ isActions, isNumeric }: Column<never>): string | undefined {
  return isActions ? 'end' : isNumeric ? 'number' : undefined
}
