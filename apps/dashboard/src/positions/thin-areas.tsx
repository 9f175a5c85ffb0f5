import { useQuery } from '@tanstack/react-query'
import { count } from '../ground/amounts.js'
import type { Box } from '../parts/map/features.js'
import { nameOfPlace } from '../parts/map/places.js'
import { Button } from '../parts/button.js'
import { thinAreas, type ThinArea } from './thin.js'
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
    <div className="table-frame">
      <table>
        <caption className="visually-hidden">Areas with few access points, the largest first</caption>
        <thead>
          <tr>
            <th scope="col">Area</th>
            <th scope="col" className="number">
              Thin cells
            </th>
            <th scope="col" className="number">
              Access points there
            </th>
          </tr>
        </thead>
        <tbody>
          {areas.slice(0, WORST).map((area) => (
            <AreaRow
              key={`${String(area.west)},${String(area.south)},${String(area.cells.length)}`}
              area={area}
              {...(onShow && { onShow })}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function AreaRow({ area, onShow }: { readonly area: ThinArea; readonly onShow?: (box: Box) => void }) {
  const { west, south, east, north, cells, access_points } = area
  const [lat, lon] = [(south + north) / 2, (west + east) / 2]
  const middle = `${lat.toFixed(4)}, ${lon.toFixed(4)}`
  const name = useQuery({
    queryKey: ['place', middle],
    queryFn: () => nameOfPlace(lat, lon),
    staleTime: Infinity,
  })
  return (
    <tr>
      <th scope="row">
        {onShow ? (
          <Button
            look="small plain row-button"
            aria-label={`Show ${middle}`}
            onPress={() => onShow({ west, south, east, north })}
          >
            <code>{middle}</code>
          </Button>
        ) : (
          <code>{middle}</code>
        )}{' '}
        <small>{name.data}</small>
      </th>
      <td data-label="Thin cells" className="number">
        {count(cells.length)}
      </td>
      <td data-label="Access points there" className="number">
        {count(access_points)}
      </td>
    </tr>
  )
}
