import type { CallOutput } from '@bearing/client/call-types'
import { count } from '../../ground/amounts.js'
import { Chart } from './chart.js'
import type { ChartSeries } from './chart-data.js'

type Day = CallOutput<'showProjectKeyUsage'>['days'][number]

/** Outcomes of requests, the most usual one at the bottom of a column. */
const SERIES: readonly ChartSeries[] = [
  { name: 'OK', tone: 'main' },
  { name: 'Invalid', tone: 'quiet' },
  { name: 'Limited', tone: 'second' },
  { name: 'Denied', tone: 'attention' },
  { name: 'Failed', tone: 'bad' },
]

/** Requests of each day by outcome. */
export function RequestChart({
  label,
  days,
  onPick,
}: {
  readonly label: string
  readonly days: readonly Day[]
  readonly onPick?: Parameters<typeof Chart>[0]['onPick']
}) {
  return (
    <Chart
      label={label}
      step="day"
      shape="bars"
      series={SERIES}
      format={count}
      onPick={onPick}
      points={days.map(({ day, ok, invalid, limited, denied, failed }) => ({
        at: `${day}T00:00:00.000Z`,
        values: [ok, invalid, limited, denied, failed],
      }))}
    />
  )
}
