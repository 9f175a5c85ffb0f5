import type { Panel } from './dashboard-json.js'

/** A metric of the chosen namespaces, with more matchers. */
export const of = (metric: string, ...matchers: string[]) =>
  `${metric}{${['namespace=~"$namespace"', ...matchers].join(',')}}`
export const rate = (metric: string, ...matchers: string[]) =>
  `rate(${of(metric, ...matchers)}[$__rate_interval])`
export const CALLS = 'bearing_call_duration_seconds'
export const HTTP = 'operation=~"http[.].+"'
export const perSecond = (by: string, ...matchers: string[]) =>
  `sum by (${by}) (${rate(`${CALLS}_count`, ...matchers)})`
export const quantile = (share: number, by: string, metric: string, ...matchers: string[]) =>
  `histogram_quantile(${share}, sum by (le, ${by}) (${rate(`${metric}_bucket`, ...matchers)}))`
const service = (name: string) => `operation=~"${name}[.].+"`
const NO_ERROR = 'outcome!="ok"'

export const line = (
  title: string,
  unit: string,
  expr: string,
  legend: string,
  more: Partial<Panel> = {},
): Panel => ({
  title,
  unit,
  queries: [{ expr, legend }],
  ...more,
})
/** Without data while nothing has gone wrong or been used. */
export const QUIET = { mayBeEmpty: true }

/** Panels about the operations of a service. */
export const operations = (name: string): Panel[] => [
  line('Calls', 'reqps', perSecond('operation', service(name)), '{{operation}}'),
  line(
    'Failed calls',
    'reqps',
    perSecond('operation, outcome', service(name), NO_ERROR),
    '{{operation}} {{outcome}}',
    QUIET,
  ),
  line('Slowest 1 % of calls', 's', quantile(0.99, 'operation', CALLS, service(name)), '{{operation}}'),
]
export const queueAge = (job: string) =>
  line(
    'Age of the oldest entry',
    's',
    `max by (queue) (${of('bearing_queue_oldest_age_seconds', `job="${job}"`)})`,
    '{{queue}}',
  )
export const queueEntries = (job: string) =>
  line(
    'Entries of queues',
    'short',
    `max by (queue) (${of('bearing_queue_entries', `job="${job}"`)})`,
    '{{queue}}',
  )
export const hits = (job: string) =>
  line(
    'Look-ups that caches answered',
    'percentunit',
    `sum by (cache) (${rate('bearing_cache_lookups_total', `job="${job}"`, 'outcome="hit"')}) / sum by (cache) (${rate('bearing_cache_lookups_total', `job="${job}"`)})`,
    '{{cache}}',
  )
export const entriesOf = (job: string) =>
  line(
    'Entries of caches',
    'short',
    `sum by (cache) (${of('bearing_cache_entries', `job="${job}"`)})`,
    '{{cache}}',
  )
export const outgoing = (to: string): Panel[] => [
  line(
    'Outbound requests',
    'reqps',
    `sum by (to, outcome) (${rate('bearing_outgoing_call_duration_seconds_count', `to=~"${to}"`)})`,
    '{{to}} {{outcome}}',
    QUIET,
  ),
  line(
    'Slowest 1 % of outbound requests',
    's',
    quantile(0.99, 'to', 'bearing_outgoing_call_duration_seconds', `to=~"${to}"`),
    '{{to}}',
    QUIET,
  ),
]
export const OF_BEARING = 'on (namespace, job, instance) group_left bearing_build_info'
