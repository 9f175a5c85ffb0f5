import { useQuery } from '@tanstack/react-query'
import { count } from '../ground/amounts.js'
import type { Box } from '../parts/map/features.js'
import { nameOfPlace } from '../parts/map/places.js'
import { Button } from '../parts/button.js'
import { Table } from '../parts/table.js'
import { thinAreas } from './thin.js'
import type { Coverage } from './use-own-access-points.js'

/** Areas that are listed. */
const WORST = 10

/** The worst areas of what the map shows. */
export function ThinAreas({
  cells,
  onShow,
}: {
  readonly cells: Coverage['cells']
  /** Shows an area on the map, if there is one. */
  readonly onShow?: (box: Box) => void
}) {
  const areas = thinAreas(cells)
  if (cells.length === 0)
    return <p className="empty">None of your access points are in view. Zoom out, or show all.</p>
  if (areas.length === 0)
    return <p className="notice good">Nothing in view is thin: every cell has five access points or more.</p>
  return (
    <Table
      caption="Areas with few access points, the largest first"
      rows={areas.slice(0, WORST)}
      idOf={({ west, south, cells }) => [west, south, cells.length].join()}
      columns={[
        {
          title: 'Area',
          isRowHeader: true,
          cell: (area) => <Place box={area} isNamed {...(onShow && { onShow })} />,
        },
        { title: 'Thin cells', isNumeric: true, cell: ({ cells }) => count(cells.length) },
        { title: 'Access points there', isNumeric: true, cell: ({ access_points }) => count(access_points) },
      ]}
    />
  )
}

/** The middle of an area: a button where there is a map that can show it. */
export function Place({
  box: { west, south, east, north },
  isNamed = false,
  onShow,
}: {
  readonly box: Box
  /** With the nearest town. */
  readonly isNamed?: boolean
  readonly onShow?: (box: Box) => void
}) {
  const [lat, lon] = [(south + north) / 2, (west + east) / 2]
  const middle = `${lat.toFixed(4)}, ${lon.toFixed(4)}`
  const name = useQuery({
    queryKey: ['place', middle],
    queryFn: () => nameOfPlace(lat, lon),
    staleTime: Infinity,
    enabled: isNamed,
  })
  const text = <code>{middle}</code>
  return (
    <>
      {onShow ? (
        <Button
          look="small plain row-button"
          aria-label={`Show ${middle}`}
          onPress={() => onShow({ west, south, east, north })}
        >
          {text}
        </Button>
      ) : (
        text
      )}{' '}
      {isNamed && <small>{name.data}</small>}
    </>
  )
}
