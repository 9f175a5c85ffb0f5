import { lazy, Suspense, useState } from 'react'
import { dayText, pointText, type ChartData } from './chart-data.js'

// Scales and axes are loaded with the first chart.
const load = () => import('./chart-body.js')
const ChartBody = lazy(load)

/** Loads the drawing of charts beside the request for their values, rather than after it. */
export function preloadChart(): void {
  void load()
}

interface Props extends ChartData {
  /** A small line without axes, beside the figure that it is about. The page shows its values as a table elsewhere. */
  readonly isSmall?: boolean
  /** Leads from a point to what it is about. */
  readonly onPick?: { readonly text: string; readonly pick: (at: string) => void } | undefined
}

/**
 * A chart of values over time, with the same values as a table. Pointer and arrow keys show the values of a point. Zero has no
 * column.
 */
export function Chart({ isSmall = false, onPick, ...data }: Props) {
  const { label, series } = data
  return (
    <figure className={isSmall ? 'chart small' : 'chart'}>
      {!isSmall && (
        <figcaption className="row quiet">
          <span>{label}</span>
          {(series.length > 1 ? series : []).map(({ name, tone }) => (
            <span key={name}>
              <i className={`swatch chart-${tone}`} /> {name}
            </span>
          ))}
        </figcaption>
      )}
      <Suspense fallback={<div className="chart-plot" role="img" aria-label={`${label}: loading`} />}>
        <ChartBody {...data} isSmall={isSmall} onPick={onPick} />
      </Suspense>
      {!isSmall && <ChartTable {...data} />}
    </figure>
  )
}

/** The values of a chart, or of several, as a table that can be opened. */
export function ChartTable(data: ChartData) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>As a table</summary>
      {isOpen && <PointTable {...data} />}
    </details>
  )
}

/** The newest values first. */
function PointTable({ label, step, series, points, format }: ChartData) {
  return (
    <div className="table-frame figures" role="region" aria-label={`${label}: table`} tabIndex={0}>
      <table>
        <caption className="visually-hidden">{label}</caption>
        <thead>
          <tr>
            <th scope="col">{step === 'hour' ? 'Hour (UTC)' : 'Day (UTC)'}</th>
            {series.map(({ name }) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {points.toReversed().map(({ at, values }) => (
            <tr key={at}>
              <th scope="row">{step === 'hour' ? pointText(at, step) : dayText(at)}</th>
              {series.map(({ name, format: own = format }, index) => (
                <td key={name} data-label={name}>
                  {values[index] === null || values[index] === undefined ? '' : own(values[index])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
