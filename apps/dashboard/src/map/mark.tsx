import type { Shape, Tone } from './features.js'

/** Outlines in a square of 2 around the middle. */
const PATHS: Readonly<Record<Shape, string>> = {
  circle: 'M1 0A1 1 0 1 1-1 0A1 1 0 1 1 1 0Z',
  square: 'M-.9-.9H.9V.9H-.9Z',
  diamond: 'M0-1.2L1.2 0L0 1.2L-1.2 0Z',
  triangle: 'M0-1.15L1.1 .8H-1.1Z',
}

interface Props {
  readonly shape: Shape
  readonly tone: Tone
  readonly x: number
  readonly y: number
  readonly size: number
}

/** A point in the shape and color that the map gives it, as part of a drawing. */
export function Mark({ shape, tone, x, y, size }: Props) {
  return (
    <path
      className={`map-mark tone-${tone}`}
      transform={`translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${size / 2})`}
      d={PATHS[shape]}
      vectorEffect="non-scaling-stroke"
    />
  )
}

/** The same as a picture beside a text. */
export function MarkIcon({ shape, tone }: Pick<Props, 'shape' | 'tone'>) {
  return (
    <svg className="map-mark-icon" width="16" height="16" viewBox="-8 -8 16 16" aria-hidden="true">
      <Mark shape={shape} tone={tone} x={0} y={0} size={10} />
    </svg>
  )
}
