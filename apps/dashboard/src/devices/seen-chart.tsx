import { useQuery } from '@tanstack/react-query'
import { DAY_MS } from '@bearing/contracts/durations'
import { count } from '../ground/amounts.js'
import { client } from '../ground/client.js'
import { useScope } from '../ground/scope.js'
import { Chart } from '../parts/chart/chart.js'
import { useListState } from './use-list-state.js'

/** Devices that sent something on each of the last 30 days. A day selects those that sent nothing since. */
export function SeenChart() {
  const { organizationSlug: organization, projectSlug: project } = useScope()
  const { select } = useListState()
  const overview = useQuery({
    queryKey: ['overview', organization, project, '30d'],
    queryFn: ({ signal }) =>
      client.call('showProjectOverview', { organization, project, period: '30d' }, { signal }),
  })
  if (!overview.data?.points.some(({ devices_seen }) => devices_seen > 0)) return null
  return (
    <section className="card" aria-label="Devices seen per day">
      <Chart
        label="Devices seen per day"
        {...{ step: 'day', shape: 'bars', format: count }}
        series={[{ name: 'Devices', tone: 'main' }]}
        points={overview.data.points.map(({ at, devices_seen }) => ({ at, values: [devices_seen] }))}
        onPick={{
          text: 'Enter or click: devices last seen on this day',
          pick: (at) =>
            select({
              ...{ q: '', silent_for: '', seen: '', attribute: '', sort: '' },
              last_seen_after: at,
              last_seen_before: new Date(Date.parse(at) + DAY_MS).toISOString(),
            }),
        }}
      />
    </section>
  )
}
