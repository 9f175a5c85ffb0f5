import { z } from 'zod'

export type ProviderAnswer =
  | {
      readonly found: true
      /** Degrees, WGS 84. */
      readonly lat: number
      readonly lon: number
      /** Meters, at the confidence that the provider is said to have. */
      readonly accuracy: number
    }
  | { readonly found: false }

/** No circle that is wider than this says where somebody is, in meters. */
const MOST_METERS = 1_000_000

/** JSON has no NaN and no infinity; `1e999` becomes one, and is no number here. */
const Answer = z.object({
  location: z
    .object({ lat: z.number().min(-90).max(90), lng: z.number().min(-180).max(180) })
    // Programs without a position send 0, 0.
    .refine(({ lat, lng }) => lat !== 0 || lng !== 0),
  accuracy: z.number().positive().max(MOST_METERS),
})

/**
 * Reads what a provider has answered. The reply is not trusted: the provider may be down or compromised.
 *
 * @returns undefined where it is no answer
 */
export function readAnswer(status: number, body: string): ProviderAnswer | undefined {
  if (status === 404) return { found: false }
  if (status !== 200) return undefined
  const parsed = Answer.safeParse(jsonOf(body))
  if (!parsed.success) return undefined
  const { location, accuracy } = parsed.data
  return { found: true, lat: location.lat, lon: location.lng, accuracy }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Returns the radius of the same circular normal distribution at another confidence: √(ln(1 − q) / ln(1 − p)) times as wide.
 *
 * @param from what the radius holds, in percent: 50 to 99
 * @param to what it shall hold
 */
export function radiusAt(radiusMeters: number, from: number, to: number): number {
  return radiusMeters * Math.sqrt(Math.log(1 - to / 100) / Math.log(1 - from / 100))
}
