import { useQuery } from '@tanstack/react-query'
import { count } from '../ground/amounts.js'
import { client } from '../ground/client.js'
import { useScope } from '../ground/scope.js'
import { useUrlState } from '../ground/url-state.js'
import { whoCan } from '../ground/who-can.js'
import { AsCommand, Command } from '../parts/command.js'
import { Loaded } from '../parts/loaded.js'
import { parseBox } from '../parts/map/geometry.js'
import { Page, Card } from '../parts/page.js'
import { CoverageMap } from './coverage-map.js'
import { LookupsCard } from './lookups-card.js'
import { LocationSettingsCard } from './settings-card.js'
import { StatisticsCard } from './statistics-card.js'

/** Meters of a degree of latitude. */
const DEGREE_METERS = 111_195

const MOST_RADIUS = 100_000

/** `…/location/coverage`. */
export function CoveragePage() {
  const { refused } = useScope()
  return (
    <Page title="Coverage" about="Where your organization's own access points are, and where there are few.">
      {!refused('access-point:read') && (
        <>
          <CoverageMap />
          <StatisticsCard />
          {!refused('device:read') && <LookupsCard />}
        </>
      )}
      {!refused('location-settings:read') && (
        <div className="pair">
          <LocationSettingsCard />
          <FallbackCard />
        </div>
      )}
      <EraseCard />
    </Page>
  )
}

/** The external provider that is asked if Bearing knows no position. Its key is set on the command line, where it is in no page. */
function FallbackCard() {
  const { organizationSlug: organization } = useScope()
  const fallback = useQuery({
    queryKey: ['location-fallback', organization],
    queryFn: ({ signal }) => client.call('showLocationFallback', { organization }, { signal }),
  })
  const command = `bearing --org ${organization} location fallback`
  return (
    <Card title="Fallback provider" about="Asked if no position is known here. None by default.">
      <Loaded query={fallback}>
        {({ url, has_key, accuracy_confidence, requests_per_minute, timeout_ms }) => (
          <dl className="facts">
            <dt>Asks</dt>
            <dd>{url === null ? 'none' : <code>{url}</code>}</dd>
            {url !== null && (
              <>
                <dt>Key</dt>
                <dd>{has_key ? 'stored encrypted, never shown' : 'none'}</dd>
                <dt>Its circles hold</dt>
                <dd>{accuracy_confidence} % of the positions</dd>
                <dt>At most</dt>
                <dd>
                  {count(requests_per_minute)} requests a minute, {count(timeout_ms)} ms each
                </dd>
              </>
            )}
          </dl>
        )}
      </Loaded>
      <AsCommand bearing={`${command} set https://provider.example/v1/geolocate\n${command} delete`} />
    </Card>
  )
}

/** How to erase an access point or an area: commands, because it cannot be undone. */
function EraseCard() {
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
