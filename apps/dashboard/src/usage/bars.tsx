/** One part of each bar. */
export interface Series {
  readonly name: string
  /** `a`, `b`, `c` or `d`: its color. */
  readonly color: string
  readonly values: readonly number[]
}

interface Props {
  readonly title: string
  /** What stands below each bar, for the first and last one, and in its title. */
  readonly labels: readonly string[]
  readonly series: readonly Series[]
  readonly format: (value: number) => string
}

const WIDTH = 600
const HEIGHT = 120

/** Bars of several days, in parts. The same figures are in a table on the page. */
export function Bars({ title, labels, series, format }: Props) {
  const totals = labels.map((_, index) => series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0))
  const most = Math.max(...totals)
  const step = WIDTH / labels.length
  const width = Math.max(1, step - Math.min(4, step / 4))
  const scale = most === 0 ? 0 : HEIGHT / most
  return (
    <figure className="chart">
      <figcaption className="row spread">
        <h3>{title}</h3>
        <small>most in a day: {format(most)}</small>
      </figcaption>
      <svg
        viewBox={`0 0 ${String(WIDTH)} ${String(HEIGHT)}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${title} by day, most in a day: ${format(most)}`}
      >
        {labels.map((label, index) => {
          let top = HEIGHT
          return (
            <g key={label}>
              <title>{`${label}: ${series.map(({ name, values }) => `${name} ${format(values[index] ?? 0)}`).join(', ')}`}</title>
              <rect className="bar-ground" x={index * step} y={0} width={width} height={HEIGHT} />
              {series.map(({ name, color, values }) => {
                const height = (values[index] ?? 0) * scale
                top -= height
                return (
                  height > 0 && (
                    <rect
                      key={name}
                      className={`bar-${color}`}
                      x={index * step}
                      y={top}
                      width={width}
                      height={height}
                    />
                  )
                )
              })}
            </g>
          )
        })}
      </svg>
      <div className="row spread">
        <small>{labels[0]}</small>
        <small>{labels.at(-1)}</small>
      </div>
      {series.length > 1 && (
        <span className="row">
          {series.map(({ name, color }) => (
            <small key={name} className="row">
              <svg className="key" viewBox="0 0 10 10" aria-hidden="true">
                <rect className={`bar-${color}`} width="10" height="10" />
              </svg>
              {name}
            </small>
          ))}
        </span>
      )}
    </figure>
  )
}

/** How much of a limit is used. */
export function Meter({
  used,
  limit,
  of,
}: {
  readonly used: number
  readonly limit: number
  readonly of: string
}) {
  const share = limit === 0 ? 1 : Math.min(1, used / limit)
  return (
    <svg
      className="meter"
      viewBox="0 0 100 4"
      preserveAspectRatio="none"
      role="img"
      aria-label={`${String(Math.round(share * 100))} % of the limit of ${of}`}
    >
      <rect className="bar-ground" width="100" height="4" />
      <rect
        className={share > 0.9 ? 'bar-d' : share > 0.7 ? 'bar-c' : 'bar-a'}
        width={share * 100}
        height="4"
      />
    </svg>
  )
}
