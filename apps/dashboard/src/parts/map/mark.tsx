import type { Shape, Tone } from './features.js'

/** Outlines in a square of 2 around the middle. */
const PATHS: Readonly<Record<Shape, string>> = {
  circle: 'M1 0A1 1 0 1 1-1 0A1 1 0 1 1 1 0Z',
  square: 'M-.9-.9H.9V.9H-.9Z',
  diamond: 'M0-1.2L1.2 0L0 1.2L-1.2 0Z',
  triangle: 'M0-1.15L1.1 .8H-1.1Z',
}

/** A point in the shape and color that the map gives it, as a picture beside a text. */
export function MarkIcon({ shape, tone }: { readonly shape: Shape; readonly tone: Tone }) {
  return (
    <svg className="map-mark-icon" width="16" height="16" viewBox="-8 -8 16 16" aria-hidden="true">
      <path
        className={`map-mark tone-${tone}`}
        transform="scale(5)"
        d={PATHS[shape]}
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  )
}
