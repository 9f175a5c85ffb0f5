import type { Question } from './question.js'

/** A provider whose URL ends like this is asked in the form of a modem vendor's location API, not of geolocation services. */
const GROUND_FIX = /\/location\/ground-fix\/?$/

interface SentCell {
  readonly radioType: string
  readonly mobileCountryCode: number
  readonly mobileNetworkCode: number
  readonly locationAreaCode: number
  readonly cellId?: number
}

/** Returns whether the provider at a URL has the ground-fix form. */
export function isGroundFix(url: URL): boolean {
  return GROUND_FIX.test(url.pathname)
}

/**
 * Converts the body of a question. The form has LTE cells only.
 *
 * @returns undefined if nothing of the question is left
 */
export function groundFixBody({ wifiAccessPoints, cellTowers = [] }: Question['body']): object | undefined {
  const lte = (cellTowers as SentCell[]) // made by `questionOf`
    .filter(({ radioType }) => radioType === 'lte')
    .map((cell) => ({
      mcc: cell.mobileCountryCode,
      mnc: cell.mobileNetworkCode,
      tac: cell.locationAreaCode,
      eci: cell.cellId,
    }))
  if (!wifiAccessPoints && lte.length === 0) return undefined
  return {
    ...(wifiAccessPoints && { wifi: { accessPoints: wifiAccessPoints } }),
    ...(lte.length > 0 && { lte }),
  }
}

/** Converts a reply to the form of geolocation services; anything else stays as it is, and is rejected there. */
export function fromGroundFix(body: string): string {
  try {
    const { lat, lon, uncertainty } = JSON.parse(body) as Record<string, unknown> // checked by `readAnswer`
    return JSON.stringify({ location: { lat, lng: lon }, accuracy: uncertainty })
  } catch {
    return body
  }
}
