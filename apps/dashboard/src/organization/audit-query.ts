import { DAY_MS } from '@bearing/contracts/durations'
import { quoted } from '../parts/command.js'

/** Parameters of the URL that filter the audit log. `from` and `to` are days in UTC, both inclusive. */
export const FILTERS = ['action', 'actor', 'target', 'request_id', 'from', 'to'] as const
export type Filter = Readonly<Record<(typeof FILTERS)[number], string>>

/** Returns the filters as the API takes them; what is empty or no day is left out. */
export function queryOf({ action, actor, target, request_id, from, to }: Filter) {
  const [start, end] = [dayOf(from), dayOf(to)]
  return {
    ...(action !== '' && { action }),
    ...(actor !== '' && { actor }),
    ...(target !== '' && { target }),
    ...(request_id !== '' && { request_id }),
    ...(start !== undefined && { from: new Date(start).toISOString() }),
    ...(end !== undefined && { to: new Date(end + DAY_MS).toISOString() }),
  }
}

/** Returns the address of the export for filters: NDJSON, oldest first, however many rows. */
export function exportAddress(organization: string, filter: Filter): string {
  const query = new URLSearchParams(queryOf(filter)).toString()
  return `/api/v0/organizations/${organization}/audit_log/export${query === '' ? '' : `?${query}`}`
}

/** Returns the same list as a command. */
export function commandOf(organization: string, filter: Filter): string {
  const { request_id, ...others } = queryOf(filter)
  const flags = Object.entries({ ...others, ...(request_id !== undefined && { 'request-id': request_id }) })
  return [
    `bearing --org ${organization} audit-log list`,
    ...flags.map(([name, value]) => `  --${name} ${quoted(value)}`),
  ].join(' \\\n')
}

function dayOf(text: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return undefined
  const at = Date.parse(`${text}T00:00:00Z`)
  return Number.isNaN(at) ? undefined : at
}
