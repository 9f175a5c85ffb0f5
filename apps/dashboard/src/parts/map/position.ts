import type { CallOutput } from '@bearing/client/call-types'
import type { MapPoint, Shape, Tone } from './features.js'

/** The last position of a device. */
export type Position = Extract<CallOutput<'listLatestPositions'>, { data: unknown }>['data'][number]

/** Methods that determine a position, with their name and shape. */
export const METHODS = {
  WIFI: { text: 'Wi-Fi', shape: 'circle' },
  MCELL: { text: 'Several cells', shape: 'triangle' },
  SCELL: { text: 'One cell', shape: 'square' },
} as const satisfies Record<Position['fulfilledWith'], { text: string; shape: Shape }>

const HOUR_MS = 3_600_000

/** Ages, the newest first: each has a color of its own. */
export const AGES: readonly { readonly tone: Tone; readonly text: string; readonly untilMs: number }[] = [
  { tone: 'new', text: 'Last hour', untilMs: HOUR_MS },
  { tone: 'recent', text: 'Last day', untilMs: 24 * HOUR_MS },
  { tone: 'old', text: 'Last week', untilMs: 7 * 24 * HOUR_MS },
  { tone: 'stale', text: 'Older', untilMs: Infinity },
]

export function toneOfAge(at: string, nowMs: number): Tone {
  const age = nowMs - Date.parse(at)
  return AGES.find(({ untilMs }) => age <= untilMs)?.tone ?? 'stale'
}

/** Probabilities that a circle holds the true position, in percent. */
export const CONFIDENCES = ['50', '68', '95'] as const
export type Confidence = (typeof CONFIDENCES)[number]
export const DEFAULT_CONFIDENCE: Confidence = '68'

/**
 * Shapes of the distributions of errors (Weibull), as the location service has them: measured for Wi-Fi, and a normal distribution on
 * both axes for cells.
 */
const ERROR_SHAPES: Readonly<Record<Position['fulfilledWith'], number>> = { WIFI: 1.5, MCELL: 2, SCELL: 2 }

/** Returns the radius in meters of the circle that holds the true position as often as asked. */
export function radiusAt(
  { uncertainty, confidence, fulfilledWith }: Pick<Position, 'uncertainty' | 'confidence' | 'fulfilledWith'>,
  percent: number,
): number {
  const share = Math.log(1 - percent / 100) / Math.log(1 - confidence / 100)
  return uncertainty * share ** (1 / ERROR_SHAPES[fulfilledWith])
}

export function toMapPoint(position: Position, percent: number, nowMs: number): MapPoint {
  const { device_serial: id, lat, lon, fulfilledWith, fallback, resolved_at: at } = position
  return {
    ...{ id, lat, lon, label: id },
    radii: [radiusAt(position, percent)],
    shape: METHODS[fulfilledWith].shape,
    tone: toneOfAge(at, nowMs),
    isHatched: fallback,
  }
}
