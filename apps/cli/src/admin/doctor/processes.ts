import type { Discovered } from '../../session/operator.js'
import type { Check, Finding } from './check.js'

/** Services without which something does not work. */
const SERVICES = ['gateway', 'identity', 'management', 'location'] as const
/** Claims and signatures allow clocks to differ by this much, in milliseconds. */
const MAX_SKEW_MS = 5_000
/** Greatest age of queued messages, in seconds: the alert for it has the same limit. */
const MAX_AGE_S = 300

/** Checks that each service has a process, that all are ready, and that their clocks agree with that of this machine. */
export const processes: Check = {
  name: 'processes',
  run: ({ found }) => {
    const missing = SERVICES.filter((service) => !found.some(({ name }) => name === service))
    return Promise.resolve([
      ...found.map(stateOf),
      ...missing.map((subject): Finding => ({
        ...{ subject, ok: false, data: { name: subject } },
        detail: 'no process replies: it is not started, waits for its migration, or NATS refuses it',
      })),
    ])
  },
}

function stateOf({ name, id, version, report, skewMs }: Discovered): Finding {
  const { phase, ...checks } = report.health
  const failing = Object.entries(checks).filter(([, state]) => state !== 'ok')
  const isSkewed = Math.abs(skewMs) > MAX_SKEW_MS
  const unset = report.unset_secrets
  const parts = [
    version,
    phase,
    ...failing.map(([check, state]) => `${check}: ${state}`),
    `clock ${skewMs < 0 ? '-' : '+'}${(Math.abs(skewMs) / 1_000).toFixed(1)} s${isSkewed ? ', repair its time service' : ''}`,
    ...(unset.length > 0 ? [`not set: ${unset.join(', ')}`] : []),
  ]
  return {
    subject: `${name} ${id.slice(0, 8)}`,
    ok: report.ready && !isSkewed,
    detail: parts.join(', '),
    data: { name, id, version, health: report.health, skew_ms: Math.round(skewMs), unset_secrets: unset },
  }
}

/** Checks that the processes of a service are not all on one Kubernetes node while there are others. */
export const spread: Check = {
  name: 'spread',
  run: ({ found }) => {
    const placed = found.flatMap(({ name, report: { node } }) => (node === undefined ? [] : [{ name, node }]))
    const nodes = new Set(placed.map(({ node }) => node))
    const services = Map.groupBy(placed, ({ name }) => name)
    return Promise.resolve(
      [...services].map(([subject, all]): Finding => {
        const counts = [...Map.groupBy(all, ({ node }) => node)].map(
          ([node, some]) => [node, some.length] as const,
        )
        const ok = all.length === 1 || counts.length > 1 || nodes.size === 1
        const where = counts.map(([node, count]) => `${String(count)} on ${node}`).join(', ')
        const detail = ok ? where : `${where}: all would stop with that node, restart the Deployment`
        return { subject, ok, detail, data: { service: subject, nodes: Object.fromEntries(counts) } }
      }),
    )
  },
}

/** Checks that the services of all processes have their migrations. */
export const migrations: Check = {
  name: 'migrations',
  run: ({ found }) =>
    Promise.resolve(
      newest(found, 'bearing_schema_info').map(({ labels }) => {
        const { schema = '', needed = '', applied = '' } = labels
        return {
          subject: schema,
          ok: needed <= applied,
          detail: needed <= applied ? applied : `${needed} is missing, the last one is ${applied || 'none'}`,
          data: labels,
        }
      }),
    ),
}

/** Checks that nothing waits in a queue for long. */
export const queues: Check = {
  name: 'queues',
  run: ({ found }) => {
    const entries = newest(found, 'bearing_queue_entries')
    const waiting = newest(found, 'bearing_stream_consumer_waiting').map(({ labels, value }): Finding => ({
      subject: `consumer ${labels['consumer'] ?? ''}`,
      ok: true,
      detail: `${String(value)} not acknowledged`,
      data: { ...labels, entries: value },
    }))
    const ages = newest(found, 'bearing_queue_oldest_age_seconds').map(({ labels, value }): Finding => {
      const { queue = '' } = labels
      const count = entries.find((entry) => entry.labels['queue'] === queue)?.value ?? 0
      return {
        subject: queue,
        ok: value <= MAX_AGE_S,
        detail: `${String(count)} waiting, the oldest for ${value.toFixed(0)} s`,
        data: { queue, entries: count, oldest_age_seconds: value },
      }
    })
    return Promise.resolve([...ages, ...waiting])
  },
}

/** Names limits that refused something since the processes started, and pools that transactions wait for. */
export const limits: Check = {
  name: 'limits',
  run: ({ found }) => {
    const gauges = found.flatMap(({ report }) => report.gauges)
    const refused = Map.groupBy(
      gauges.filter(({ name, value }) => name === 'bearing_limited_total' && value > 0),
      ({ labels }) => labels['limit'] ?? '',
    )
    const reached = [...refused].map(([limit, counts]): Finding => {
      const count = counts.reduce((sum, { value }) => sum + value, 0)
      const data = { limit, refused: count }
      return { subject: limit, ok: true, detail: `refused ${String(count)} requests since the start`, data }
    })
    const waiting = newest(found, 'bearing_postgres_pool_waiting')
      .filter(({ value }) => value > 0)
      .map(({ labels, value }): Finding => ({
        subject: `pool ${labels['pool'] ?? ''}`,
        ok: true,
        detail: `${String(value)} wait for a connection to Postgres`,
        data: { ...labels, waiting: value },
      }))
    return Promise.resolve([...reached, ...waiting])
  },
}

type Gauge = Discovered['report']['gauges'][number]

/** Returns the greatest value of a gauge for each of its labels: some processes may have read it earlier than others. */
function newest(found: readonly Discovered[], name: string): Gauge[] {
  const greatest = new Map<string, Gauge>()
  for (const gauge of found.flatMap(({ report }) => report.gauges)) {
    if (gauge.name !== name) continue
    const key = JSON.stringify(gauge.labels)
    if ((greatest.get(key)?.value ?? -Infinity) < gauge.value) greatest.set(key, gauge)
  }
  return [...greatest.values()].toSorted((a, b) =>
    JSON.stringify(a.labels) < JSON.stringify(b.labels) ? -1 : 1,
  )
}
