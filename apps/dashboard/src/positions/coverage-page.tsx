import type { CallOutput } from '@bearing/client/call-types'
import { useQuery } from '@tanstack/react-query'
import { meters, count } from '../ground/amounts.js'
import { calling } from '../ground/calling.js'
import { useScope } from '../ground/scope.js'
import { Chart } from '../parts/chart/chart.js'
import { Facts } from '../parts/facts.js'
import { Loaded } from '../parts/loaded.js'
import { Page, Card } from '../parts/page.js'
import { Time } from '../parts/time.js'
import { CoverageMap } from './coverage-map.js'
import { EraseCard } from './erase-card.js'
import { FallbackCard } from './fallback-card.js'
import { LocationSettingsCard } from './settings-card.js'

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

type Layer = CallOutput<'showAccessPointStatistics'>['organization']

/** Shows the number of imported access points. */
function StatisticsCard() {
  const { organizationSlug: organization } = useScope()
  const statistics = useQuery(
    calling(['access-point-statistics', organization], 'showAccessPointStatistics', { organization }),
  )
  return (
    <Card title="Imported access points" about="Your own win over the base layer, which is the operator's.">
      <Loaded query={statistics}>
        {({ organization: own, shared }) => (
          <Facts
            facts={{
              'Your organization': <LayerFact layer={own} />,
              'Base layer': <LayerFact layer={shared} />,
            }}
          />
        )}
      </Loaded>
    </Card>
  )
}

function LayerFact({ layer: { access_points, observations, updated_at } }: { readonly layer: Layer }) {
  return (
    <>
      {count(access_points)} from {count(observations)} observations
      {updated_at !== null && (
        <small>
          changed <Time at={updated_at} />
        </small>
      )}
    </>
  )
}

/** Shows the quality of the project's look-ups in the last 30 days. */
function LookupsCard() {
  const { organizationSlug: organization, projectSlug: project } = useScope()
  const overview = useQuery(
    calling(['overview', organization, project, '30d'], 'showProjectOverview', {
      organization,
      project,
      period: '30d',
    }),
  )
  return (
    <Card title="Look-ups" about="Of the project, in the last 30 days.">
      <Loaded query={overview} lines={2}>
        {({ points, step }) => (
          <div className="pair">
            <Chart
              label="Share of look-ups without a position"
              {...{ step, shape: 'line', format: percent }}
              series={[{ name: 'Not found', tone: 'attention' }]}
              points={points.map(({ at, lookups: { found, fallback, not_found } }) => {
                const all = found + fallback + not_found
                return { at, values: [all === 0 ? null : (not_found / all) * 100] }
              })}
            />
            <Chart
              label="Median radius of positions"
              {...{ step, shape: 'line', format: meters }}
              series={[{ name: 'Median radius', tone: 'main' }]}
              points={points.map(({ at, median_radius }) => ({ at, values: [median_radius] }))}
            />
          </div>
        )}
      </Loaded>
    </Card>
  )
}

function percent(value: number): string {
  return `${String(Math.round(value * 10) / 10)} %`
}
