import { useQuery } from '@tanstack/react-query'
import { count } from '../ground/amounts.js'
import { client } from '../ground/client.js'
import { useScope } from '../ground/scope.js'
import { Chart } from '../parts/chart/chart.js'
import { Loaded } from '../parts/loaded.js'
import { Card } from '../parts/page.js'

/** How well look-ups of the project were answered in the last 30 days. */
export function LookupsCard() {
  const { organizationSlug: organization, projectSlug: project } = useScope()
  const overview = useQuery({
    queryKey: ['overview', organization, project, '30d'],
    queryFn: ({ signal }) =>
      client.call('showProjectOverview', { organization, project, period: '30d' }, { signal }),
  })
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

function meters(radius: number): string {
  return `${count(Math.round(radius))} m`
}
