import { count } from '../ground/amounts.js'
import type { CallOutput } from '@bearing/client/call-types'

export type Explanation = CallOutput<'explainLocation'>
export type ExplainedAccessPoint = Explanation['accessPoints'][number]
type ExplainedCell = Explanation['cells'][number]
type Outcome = ExplainedAccessPoint['outcome'] | ExplainedCell['outcome']

/** Outcomes of access points and cells in words. */
export const OUTCOMES: Readonly<Record<Outcome, string>> = {
  used: 'used',
  not_needed: 'agrees, not needed',
  elsewhere: 'known to be elsewhere',
  moves: 'moves',
  not_own: 'not one of your own',
  opted_out: 'its owner opted out',
  old: 'received long before the others, or repeated',
  duplicate: 'sent twice',
  not_an_access_point: 'not an access point',
  unreadable: 'cannot be read',
  unusable: 'incomplete',
}

/** Sources of positions in words. */
export const KINDS = { WIFI: 'Wi-Fi', MCELL: 'several radio cells', SCELL: 'one radio cell' } as const

const SOURCES = { wifi: 'Wi-Fi', cell: 'radio cells', fallback: 'the fallback provider' } as const
const ASKED = {
  found: 'found it',
  not_found: 'found nothing',
  skipped: 'skipped',
  not_asked: 'not needed',
} as const

/** Returns what each source did, as one line. */
export function sourcesText({ sources }: Explanation): string {
  return sources.map(({ source, outcome }) => `${SOURCES[source]} ${ASKED[outcome]}`).join(' · ')
}

/** Returns a distance with its unit. */
export function meters(value: number | null | undefined): string {
  if (value === null || value === undefined) return '–'
  return value < 10 ? `${value.toFixed(1)} m` : `${count(Math.round(value))} m`
}

/** Identifies an access point of a scan on the map and in the table. */
export function idOf(index: number): string {
  return `ap-${String(index)}`
}
