import { Period, type Step } from '@bearing/contracts/counts/usage'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { meters, count } from '../ground/amounts.js'
import { calling, listing } from '../ground/calling.js'
import { useScope } from '../ground/scope.js'
import { Chart } from '../parts/chart/chart.js'
import { Loaded } from '../parts/loaded.js'
import { Card } from '../parts/page.js'
import { Select } from '../parts/select.js'

const TEXTS: Readonly<Record<Period, string>> = {
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
}
/** Positions whose radius is shown, the newest ones. */
const POSITIONS = 1_000

/** Chunks of a device over time, and the radius of its positions. */
export function ActivityCard({ serial: device_serial }: { readonly serial: string }) {
  const { organizationSlug: organization, projectSlug: project, refused } = useScope()
  const [period, setPeriod] = useState<Period>('24h')
  const of = { organization, project, device_serial }
  const mayLocate = !refused('device-data:read')
  const usage = useQuery(
    calling(['device', organization, project, device_serial, 'usage', period], 'showDeviceUsage', {
      ...of,
      period,
    }),
  )
  const from = usage.data?.points[0]?.at
  const positions = useQuery({
    ...listing(['device', organization, project, device_serial, 'radius', from], 'listDevicePositions', {
      ...of,
      from,
      per_page: POSITIONS,
    }),
    enabled: mayLocate && from !== undefined,
  })
  return (
    <Card
      title="Activity"
      state={
        <Select
          label="Period of the activity"
          isLabelHidden
          value={period}
          options={Period.options.map((id) => ({ id, text: TEXTS[id] }))}
          onChange={(id) => setPeriod(Period.parse(id))}
        />
      }
    >
      <Loaded query={usage} lines={2}>
        {({ points, step }) => (
          <div className="pair">
            <Chart
              label={`Chunks per ${step}`}
              {...{ step, shape: 'bars', format: count }}
              series={[{ name: 'Chunks', tone: 'main' }]}
              points={points.map(({ at, chunks }) => ({ at, values: [chunks.count] }))}
            />
            {positions.data && positions.data.length > 0 && (
              <Chart
                label={`Median radius per ${step}`}
                {...{ step, shape: 'line', format: meters }}
                series={[{ name: 'Radius', tone: 'second' }]}
                points={points.map(({ at }) => ({ at, values: [medianAt(positions.data, at, step)] }))}
              />
            )}
          </div>
        )}
      </Loaded>
    </Card>
  )
}

/** Returns the median radius of the positions of an hour or a day; null if it has none. */
function medianAt(
  positions: readonly { readonly resolved_at: string; readonly uncertainty: number }[],
  at: string,
  step: Step,
): number | null {
  const length = step === 'day' ? 10 : 13
  const radii = positions
    .filter(({ resolved_at }) => resolved_at.slice(0, length) === at.slice(0, length))
    .map(({ uncertainty }) => uncertainty)
    .sort((a, b) => a - b)
  return radii[Math.floor(radii.length / 2)] ?? null
}
