import { count } from '../ground/amounts.js'
import type { CallOutput } from '@bearing/client/call-types'
import { useState } from 'react'
import type { Box } from '../parts/map/features.js'
import { Button } from '../parts/button.js'
import { Pages } from '../parts/pages.js'
import { Time } from '../parts/time.js'
import { isThin, sorted, type Order } from './thin.js'

type Cell = CallOutput<'showCoverage'>['cells'][number]

const PER_PAGE = 15

/** The cells of the map as a table. */
export function CellTable({
  cells,
  order,
  onShow,
}: {
  readonly cells: readonly Cell[]
  readonly order: Order
  /** Shows a cell on the map, if there is one. */
  readonly onShow?: (box: Box) => void
}) {
  const [page, setPage] = useState(1)
  const pages = Math.max(1, Math.ceil(cells.length / PER_PAGE))
  const at = Math.min(page, pages)
  if (cells.length === 0)
    return <p className="empty">None of your access points are in view. Zoom out, or show all.</p>
  return (
    <>
      <div className="table-frame">
        <table>
          <caption className="visually-hidden">Cells of the grid</caption>
          <thead>
            <tr>
              <th scope="col">Middle of the cell</th>
              <th scope="col">Access points</th>
              <th scope="col">Learned</th>
              <th scope="col">Moving</th>
              <th scope="col">Median spread</th>
              <th scope="col">Median age</th>
            </tr>
          </thead>
          <tbody>
            {sorted(cells, order)
              .slice((at - 1) * PER_PAGE, at * PER_PAGE)
              .map((cell) => (
                <CellRow
                  key={`${String(cell.west)},${String(cell.south)}`}
                  cell={cell}
                  {...(onShow && { onShow })}
                />
              ))}
          </tbody>
        </table>
      </div>
      {pages > 1 && <Pages at={at} pages={pages} onPage={setPage} />}
    </>
  )
}

function CellRow({ cell, onShow }: { readonly cell: Cell; readonly onShow?: (box: Box) => void }) {
  const { west, south, east, north, access_points, learned, moving, median_spread, median_updated_at } = cell
  const middle = `${((south + north) / 2).toFixed(4)}, ${((west + east) / 2).toFixed(4)}`
  return (
    <tr>
      <th scope="row">
        {onShow ? (
          <Button
            look="small plain"
            aria-label={`Show ${middle}`}
            onPress={() => onShow({ west, south, east, north })}
          >
            <code>{middle}</code>
          </Button>
        ) : (
          <code>{middle}</code>
        )}
      </th>
      <td data-label="Access points">
        {count(access_points)} {isThin(cell) && <span className="badge attention">thin</span>}
      </td>
      <td data-label="Learned">{`${String(Math.round((100 * learned) / access_points))} %`}</td>
      <td data-label="Moving">{count(moving)}</td>
      <td data-label="Median spread">
        {median_spread === null ? '–' : `${count(Math.round(median_spread))} m`}
      </td>
      <td data-label="Median age">
        <Time at={median_updated_at} />
      </td>
    </tr>
  )
}
