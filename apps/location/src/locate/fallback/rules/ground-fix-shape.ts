import { LTE_LISTS, type Question } from './question.js'

/** A provider whose URL ends like this is asked in the form of a modem vendor's location API, not of geolocation services. */
const GROUND_FIX = /\/location\/ground-fix\/?$/

/** Returns whether the provider at a URL has the ground-fix form. */
export function isGroundFix(url: URL): boolean {
  return GROUND_FIX.test(url.pathname)
}

/**
 * Converts a question. The form has access points, and LTE, LTE-M and NB-IoT cells in a list each; other cells it has not.
 *
 * @returns undefined if nothing of the question is left
 */
export function groundFixBody({
  body: { wifiAccessPoints },
  lteLists,
}: Pick<Question, 'body' | 'lteLists'>): object | undefined {
  const lists = LTE_LISTS.flatMap((list) => {
    const cells = lteLists[list].map(({ mcc, mnc, area, cell }) => ({ mcc, mnc, tac: area, eci: cell }))
    return cells.length > 0 ? [[list, cells] as const] : []
  })
  if (!wifiAccessPoints && lists.length === 0) return undefined
  return {
    ...(wifiAccessPoints && { wifi: { accessPoints: wifiAccessPoints } }),
    ...Object.fromEntries(lists),
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
