import { AxisBottom, AxisLeft } from '@visx/axis'
import { GridRows } from '@visx/grid'
import { scaleBand, scaleLinear } from '@visx/scale'
import { LinePath } from '@visx/shape'
import { useState, type KeyboardEvent, useCallback } from 'react'
import { dayText, readPoint, type ChartData } from './chart-data.js'

interface Props extends ChartData {
  readonly isSmall: boolean
  readonly onPick: { readonly text: string; readonly pick: (at: string) => void } | undefined
}

const HEIGHT = 180
const SMALL_HEIGHT = 36
const MARGIN = { top: 8, right: 20, bottom: 24, left: 56 }
const NO_MARGIN = { top: 2, right: 2, bottom: 2, left: 2 }
/** Pixels between names of points. */
const NAME_WIDTH = 64
const VALUE_TICKS = 4

/** The drawing of a chart, and the values of the point that pointer or arrow keys have chosen. */
export default function ChartBody({ isSmall, onPick, ...data }: Props) {
  const { label, points } = data
  const [frame, width] = useWidth()
  const [chosen, setChosen] = useState<number>()
  const last = points.length - 1
  const index = Math.min(chosen ?? last, last)
  const point = points[index]
  const text = point ? readPoint(point, data) : 'No values'
  const onKeyDown = (event: KeyboardEvent) => {
    const next = moved(event.key, index, last)
    if (next === undefined && !(event.key === 'Enter' && onPick && point)) return
    event.preventDefault()
    if (next !== undefined) setChosen(next)
    else if (point) onPick?.pick(point.at)
  }
  return (
    <>
      <div
        ref={frame}
        className="chart-plot"
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, last)}
        aria-valuenow={Math.max(0, index)}
        aria-valuetext={text}
        onKeyDown={onKeyDown}
        onFocus={() => setChosen(index)}
        onBlur={() => setChosen(undefined)}
        onPointerLeave={() => setChosen(undefined)}
      >
        {width > 0 && (
          <Plot
            {...{ data, width, isSmall, chosen }}
            onChoose={setChosen}
            onPick={onPick && ((at) => onPick.pick(at))}
          />
        )}
      </div>
      <p className="chart-read quiet" aria-hidden="true">
        {chosen === undefined ? '\u00a0' : text}
        {chosen !== undefined && onPick && ` · ${onPick.text}`}
      </p>
    </>
  )
}

function moved(key: string, index: number, last: number): number | undefined {
  if (key === 'ArrowLeft' || key === 'ArrowDown') return Math.max(0, index - 1)
  if (key === 'ArrowRight' || key === 'ArrowUp') return Math.min(last, index + 1)
  if (key === 'Home') return 0
  return key === 'End' ? last : undefined
}

interface PlotProps {
  readonly data: ChartData
  readonly width: number
  readonly isSmall: boolean
  readonly chosen: number | undefined
  readonly onChoose: (index: number) => void
  readonly onPick: ((at: string) => void) | undefined
}

function Plot({ data, width, isSmall, chosen, onChoose, onPick }: PlotProps) {
  const { points, shape, step, format } = data
  const height = isSmall ? SMALL_HEIGHT : HEIGHT
  const margin = isSmall ? NO_MARGIN : MARGIN
  const right = width - margin.right
  const bottom = height - margin.bottom
  const x = scaleBand({ domain: points.map((_, index) => index), range: [margin.left, right], padding: 0.2 })
  const most = mostOf(data)
  // Counts have no ticks between 0 and 1.
  const ticks = Math.min(VALUE_TICKS, Math.floor(most))
  const y = scaleLinear({ domain: [0, most], range: [bottom, margin.top], nice: ticks })
  const every = Math.max(1, Math.ceil((points.length * NAME_WIDTH) / (right - margin.left)))
  const named = points.flatMap((_, index) => ((points.length - 1 - index) % every === 0 ? [index] : []))
  const nameOf = (index: number) => {
    const at = points[index]?.at ?? ''
    return step === 'day' ? dayText(at) : at.slice(11, 16)
  }
  return (
    <svg width={width} height={height} aria-hidden="true">
      {!isSmall && (
        <>
          <GridRows
            scale={y}
            left={margin.left}
            width={right - margin.left}
            numTicks={ticks}
            className="chart-grid"
          />
          <AxisLeft
            scale={y}
            left={margin.left}
            numTicks={ticks}
            tickFormat={(value) => format(Number(value))}
            {...{ hideAxisLine: true, hideTicks: true, tickClassName: 'chart-tick' }}
          />
          <AxisBottom
            scale={x}
            top={bottom}
            tickValues={named}
            tickFormat={(index) => nameOf(index)}
            {...{ hideTicks: true, axisLineClassName: 'chart-axis', tickClassName: 'chart-tick' }}
          />
        </>
      )}
      {chosen !== undefined && (
        <rect
          className="chart-chosen"
          x={x(chosen)}
          y={margin.top}
          width={x.bandwidth()}
          height={bottom - margin.top}
        />
      )}
      {shape === 'bars' ? <Bars {...{ data, x, y }} /> : <Lines {...{ data, x, y }} />}
      {points.map(({ at }, index) => (
        <rect
          key={at}
          className={onPick ? 'chart-hit pick' : 'chart-hit'}
          x={(x(index) ?? 0) - (x.step() - x.bandwidth()) / 2}
          y={0}
          width={x.step()}
          height={height}
          onPointerMove={() => onChoose(index)}
          onClick={() => onPick?.(at)}
        />
      ))}
    </svg>
  )
}

function mostOf({ points, shape }: ChartData): number {
  const sums = points.map(({ values }) => {
    const shown = values.map((value) => value ?? 0)
    return shape === 'bars' ? shown.reduce((sum, value) => sum + value, 0) : Math.max(0, ...shown)
  })
  return Math.max(1, ...sums)
}

interface Marks {
  readonly data: ChartData
  readonly x: ReturnType<typeof scaleBand<number>>
  readonly y: ReturnType<typeof scaleLinear<number>>
}

/** Columns; zero has none. */
function Bars({ data: { points, series }, x, y }: Marks) {
  return points.map(({ at, values }, index) => {
    let sum = 0
    return (
      <g key={at}>
        {series.map(({ name, tone }, of) => {
          const value = values[of] ?? 0
          if (value === 0) return null
          const [from, to] = [y(sum), y((sum += value))]
          // A small value is still seen.
          const height = Math.max(1, from - to)
          return (
            <rect
              key={name}
              className={`chart-${tone}`}
              x={x(index)}
              y={from - height}
              width={x.bandwidth()}
              height={height}
            />
          )
        })}
      </g>
    )
  })
}

/** Lines that are broken where there is no value. */
function Lines({ data: { points, series }, x, y }: Marks) {
  const middle = (index: number) => (x(index) ?? 0) + x.bandwidth() / 2
  return series.map(({ name, tone }, of) => (
    <g key={name} className={`chart-line chart-${tone}`}>
      <LinePath
        data={points.map(({ values }, index) => ({ index, value: values[of] ?? null }))}
        defined={({ value }) => value !== null}
        x={({ index }) => middle(index)}
        y={({ value }) => y(value ?? 0)}
      />
      {points.map(({ at, values }, index) => {
        const value = values[of] ?? null
        return value === null ? null : <circle key={at} cx={middle(index)} cy={y(value)} r={1.5} />
      })}
    </g>
  ))
}

/** Returns a function that observes an element, and its width in pixels; 0 before it is known. */
function useWidth(): [(element: HTMLElement | null) => (() => void) | undefined, number] {
  const [width, setWidth] = useState(0)
  const observe = useCallback((element: HTMLElement | null) => {
    if (!element) return undefined
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [observe, width]
}
