import { useId } from 'react'
import { utcMinute } from '../ground/time.js'
import type { Position } from '../parts/map/position.js'

const STEPS = 60
const HEIGHT = 28

interface Props {
  readonly positions: readonly Position[]
  /** The last moment that is shown; empty: now. */
  readonly until: string
  readonly nowMs: number
  readonly onChange: (until: string) => void
}

/** Goes back in time: devices that were located later leave the map. The bars are devices by the time of their last position. */
export function TimeSlider({ positions, until, nowMs, onChange }: Props) {
  const id = useId()
  const first = positions.reduce(
    (least, { resolved_at: at }) => Math.min(least, Date.parse(at)),
    nowMs - 60_000,
  )
  const size = (nowMs - first) / STEPS
  const counts = new Array<number>(STEPS).fill(0)
  for (const { resolved_at: at } of positions) {
    const bar = Math.min(STEPS - 1, Math.max(0, Math.floor((Date.parse(at) - first) / size)))
    counts[bar] = (counts[bar] ?? 0) + 1
  }
  const most = Math.max(1, ...counts)
  const step = until === '' ? STEPS : Math.round((Date.parse(until) - first) / size)
  const at = Math.min(STEPS, Math.max(0, step))
  const text = at === STEPS ? 'now' : utcMinute(new Date(first + at * size).toISOString())
  return (
    <div className="field time-slider">
      <label htmlFor={id}>
        Shown until <span className="quiet">{text}</span>
      </label>
      <svg viewBox={`0 0 ${STEPS} ${HEIGHT}`} height={HEIGHT} preserveAspectRatio="none" aria-hidden="true">
        {counts.map((count, bar) => {
          const height = count === 0 ? 0 : 2 + (count / most) * (HEIGHT - 2)
          const look = bar < at ? 'bar' : 'bar off'
          return (
            count > 0 && (
              <rect
                key={bar}
                className={look}
                x={bar + 0.1}
                y={HEIGHT - height}
                width={0.8}
                height={height}
              />
            )
          )
        })}
      </svg>
      <input
        id={id}
        type="range"
        min={0}
        max={STEPS}
        value={at}
        aria-valuetext={text}
        onChange={({ target }) => {
          const chosen = Number(target.value)
          onChange(chosen >= STEPS ? '' : new Date(first + chosen * size).toISOString())
        }}
      />
    </div>
  )
}
