import type { ReactNode } from 'react'
import { meters, count, size } from '../ground/amounts.js'
import type { Tone } from '../parts/chart/chart-data.js'
import { Chart, ChartTable } from '../parts/chart/chart.js'
import { shareText, totalOf, type Overview, type OverviewPoint } from './overview.js'

const located = ({ lookups: { found, fallback } }: Pick<OverviewPoint, 'lookups'>) => found + fallback
const dataOf = ({ chunks, files }: OverviewPoint) => chunks.bytes + files.bytes

/** Shows the counts of an overview, each with a line over the period. */
export function OverviewTiles({ overview }: { readonly overview: Overview }) {
  const { points, step, devices, lookups, median_radius } = overview
  const all = totalOf(lookups)
  const data = points.reduce((sum, point) => sum + dataOf(point), 0)
  const files = points.reduce((sum, point) => sum + point.files.count, 0)
  const per = `per ${step}`
  const isWithData = points.some(({ devices_seen, lookups: some }) => devices_seen > 0 || totalOf(some) > 0)
  return (
    <>
      <div className="tiles">
        <Tile
          name="Devices"
          amount={`${devices.is_minimum ? 'More than ' : ''}${count(devices.count)}`}
          about={`${count(devices.seen)} seen, ${count(devices.new)} new`}
          label={`Devices seen ${per}`}
          {...{ overview, valueOf: ({ devices_seen }) => devices_seen, format: count }}
        />
        <Tile
          name="Located"
          amount={shareText(located({ lookups }), all)}
          about={median_radius === null ? 'no position yet' : `median radius ${meters(median_radius)}`}
          label={`Look-ups with a position ${per}`}
          {...{ overview, valueOf: located, format: count }}
        />
        <Tile
          name="Look-ups"
          amount={count(all)}
          about={`${shareText(lookups.refused, all)} refused`}
          label={`Look-ups ${per}`}
          {...{ overview, valueOf: (point) => totalOf(point.lookups), format: count }}
        />
        <Tile
          name="Data in"
          amount={size(data)}
          about={`${count(files)} ${files === 1 ? 'file' : 'files'}`}
          label={`Bytes of chunks and files ${per}`}
          {...{ overview, valueOf: dataOf, format: size }}
        />
      </div>
      {isWithData && (
        <ChartTable
          label="Overview"
          {...{ step, shape: 'bars', format: count }}
          series={[
            series('Devices', 'main'),
            series('Located', 'main'),
            series('Median radius', 'main', meters),
            series('Look-ups', 'main'),
            series('Refused', 'main'),
            series('Data in', 'main', size),
          ]}
          points={points.map((point) => ({
            at: point.at,
            values: [
              point.devices_seen,
              located(point),
              point.median_radius,
              totalOf(point.lookups),
              point.lookups.refused,
              dataOf(point),
            ],
          }))}
        />
      )}
    </>
  )
}

function series(name: string, tone: Tone, format?: (value: number) => string) {
  return { name, tone, ...(format && { format }) }
}

function Tile({
  name,
  amount,
  about,
  label,
  overview: { points, step },
  valueOf,
  format,
}: {
  readonly name: string
  readonly amount: string
  readonly about: ReactNode
  readonly label: string
  readonly overview: Overview
  readonly valueOf: (point: OverviewPoint) => number
  readonly format: (value: number) => string
}) {
  return (
    <section className="card tile">
      <h2>{name}</h2>
      <p className="amount">{amount}</p>
      <p className="quiet">{about}</p>
      <Chart
        isSmall
        {...{ label, step, shape: 'bars', format }}
        series={[{ name, tone: 'main' }]}
        points={points.map((point) => ({ at: point.at, values: [valueOf(point)] }))}
      />
    </section>
  )
}
