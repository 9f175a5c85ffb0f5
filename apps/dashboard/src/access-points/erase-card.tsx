import { useScope } from '../ground/scope.js'
import { useUrlState } from '../ground/url-state.js'
import { whoCan } from '../ground/who-can.js'
import { parseBox } from '../map/geometry.js'
import { Command } from '../parts/command.js'
import { Card } from '../parts/page.js'

/** Meters of a degree of latitude. */
const DEGREE_METERS = 111_195
const MOST_RADIUS = 100_000

/** How to erase an access point or an area: commands, because it cannot be undone. */
export function EraseCard() {
  const { organizationSlug, refused } = useScope()
  const [{ bbox }] = useUrlState(['bbox'])
  const bearing = `bearing --org ${organizationSlug}`
  const box = parseBox(bbox)
  const [lat, lon] = box ? [(box.south + box.north) / 2, (box.west + box.east) / 2] : [48.137, 11.575]
  const height = box ? (box.north - box.south) * DEGREE_METERS : 200
  const radius = Math.max(1, Math.min(MOST_RADIUS, Math.round(height / 2)))
  const area = [lat.toFixed(5), lon.toFixed(5), String(radius)].join(',')
  return (
    <Card
      title="Erase and export"
      about="Erasing is permanent: neither an import nor an observation brings an access point back. So it is a command, and asks again."
    >
      {refused('access-point:forget') && <p className="quiet">Only for {whoCan('access-point:forget')}.</p>}
      <dl className="facts">
        <dt>One access point</dt>
        <dd>
          <Command text={`${bearing} access-points erase 00:1a:2b:3c:4d:5e`} />
        </dd>
        <dt>{box ? 'The area in view' : 'An area'}</dt>
        <dd>
          <Command text={`${bearing} access-points erase --area ${area} --confirm ${area}`} />
        </dd>
        <dt>All of your own, as a file</dt>
        <dd>
          <Command text={`${bearing} access-points export --format csv > access-points.csv`} />
        </dd>
      </dl>
    </Card>
  )
}
