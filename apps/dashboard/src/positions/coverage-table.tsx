import type { CallOutput } from '@bearing/client/call-types'
import { useState } from 'react'
import { meters, count } from '../ground/amounts.js'
import type { Box } from '../parts/map/features.js'
import { Pages } from '../parts/pages.js'
import { Table } from '../parts/table.js'
import { Time } from '../parts/time.js'
import { Place } from './thin-areas.js'
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
      <Table
        caption="Cells of the grid"
        rows={sorted(cells, order)}
        page={{ at, size: PER_PAGE }}
        idOf={({ west, south }) => [west, south].join()}
        columns={[
          {
            title: 'Middle of the cell',
            isRowHeader: true,
            cell: (cell) => <Place box={cell} {...(onShow && { onShow })} />,
          },
          {
            title: 'Access points',
            cell: (cell) => (
              <>
                {count(cell.access_points)} {isThin(cell) && <span className="badge attention">thin</span>}
              </>
            ),
          },
          {
            title: 'Learned',
            cell: ({ learned, access_points }) => `${String(Math.round((100 * learned) / access_points))} %`,
          },
          { title: 'Moving', cell: ({ moving }) => count(moving) },
          {
            title: 'Median spread',
            cell: ({ median_spread: spread }) => (spread === null ? '–' : meters(spread)),
          },
          { title: 'Median age', cell: ({ median_updated_at }) => <Time at={median_updated_at} /> },
        ]}
      />
      {pages > 1 && <Pages at={at} pages={pages} onPage={setPage} />}
    </>
  )
}
