import { VERSION } from '@bearing/contracts/version'
import { answerDiscovery } from '@bearing/nats/discovery'
import type { ProcessReport } from '@bearing/contracts/counts/process-report'
import type { Runtime } from './runtime.js'

/** Gauges that an operator looks at first. */
const GAUGES = [
  'bearing_schema_info',
  'bearing_schema_migrations_missing',
  'bearing_queue_oldest_age_seconds',
  'bearing_queue_entries',
  'bearing_stream_consumer_waiting',
  'bearing_postgres_pool_waiting',
  'bearing_limited_total',
]

/** Answers operators that ask a process which serves no operations how it is. */
export function reportToOperators(
  runtime: Runtime,
  settings: object,
  service: { readonly name: string; readonly id: string; readonly description: string },
): void {
  const report = () => processReport(runtime, settings)
  answerDiscovery(runtime.connection, { ...service, version: VERSION }, [], new Date(), report)
}

/** Returns what a process says of itself to operators. @param settings whose secrets are not enumerable */
export async function processReport(
  { health, metrics }: Pick<Runtime, 'health' | 'metrics'>,
  settings: object & { readonly NODE_NAME?: string },
): Promise<ProcessReport['report']> {
  const gauges = await Promise.all(GAUGES.map((name) => valuesOf(metrics, name)))
  const { NODE_NAME: node = '' } = settings
  return {
    ...(node !== '' && { node }),
    now: new Date().toISOString(),
    ...(await health.report()),
    gauges: gauges.flat(),
    unset_secrets: secretNames(settings).filter((name) => isUnset(settings, name)),
  }
}

async function valuesOf({ registry }: Runtime['metrics'], name: string) {
  const metric = await registry.getSingleMetric(name)?.get()
  return (metric?.values ?? []).map(({ labels, value }) => ({
    name,
    labels: Object.fromEntries(Object.entries(labels).map(([label, text]) => [label, String(text)])),
    value,
  }))
}

function secretNames(settings: object): string[] {
  const shown = new Set(Object.keys(settings))
  return Object.getOwnPropertyNames(settings).filter((name) => !shown.has(name))
}

function isUnset(settings: object, name: string): boolean {
  const value: unknown = Reflect.get(settings, name)
  return value === undefined || value === null || value === ''
}
