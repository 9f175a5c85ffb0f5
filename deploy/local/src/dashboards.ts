import { dashboard, type Dashboard } from './dashboard-json.js'
import {
  CALLS,
  entriesOf,
  hits,
  HTTP,
  line,
  of,
  OF_BEARING,
  perSecond,
  quantile,
  QUIET,
  rate,
} from './dashboard-panels.js'
import { SERVICES } from './dashboard-services.js'

/** The dashboards of Grafana, by the name of their file. */
export const DASHBOARDS: Readonly<Record<string, Dashboard>> = {
  'bearing-overview': dashboard('bearing-overview', 'Bearing: overview', [
    {
      title: 'Objectives',
      panels: [
        line(
          'Burn of the error budget, 1 h (1 is what the objective allows)',
          'short',
          of('slo:burn:rate1h'),
          '{{slo}}',
        ),
        line('The same, 6 h', 'short', of('slo:burn:rate6h'), '{{slo}}'),
        {
          ...line(
            'Alerts',
            'short',
            'ALERTS{alertname=~"Bearing.+",alertstate="firing"}',
            '{{alertname}}',
            QUIET,
          ),
          kind: 'table',
        },
      ],
    },
    {
      title: 'Requests',
      panels: [
        line('Requests by status', 'reqps', perSecond('outcome', HTTP), '{{outcome}}'),
        line(
          'Share of requests with status 5xx',
          'percentunit',
          `sum(${rate(`${CALLS}_count`, HTTP, 'outcome=~"5.."')}) / sum(${rate(`${CALLS}_count`, HTTP)})`,
          '5xx',
          QUIET,
        ),
        line(
          'Slowest 1 % by route',
          's',
          `topk(10, ${quantile(0.99, 'operation', CALLS, HTTP)})`,
          '{{operation}}',
        ),
      ],
    },
    {
      title: 'Processes',
      panels: [
        line(
          'Processes by service and version',
          'short',
          `count by (service, version) (${of('bearing_build_info')})`,
          '{{service}} {{version}}',
        ),
        line(
          'Processor',
          'short',
          `sum by (job) (${rate('process_cpu_seconds_total')} * ${OF_BEARING})`,
          '{{job}}',
        ),
        line(
          'Memory',
          'bytes',
          `${of('process_resident_memory_bytes')} * ${OF_BEARING}`,
          '{{job}} {{instance}}',
        ),
        line(
          'Event loop delay (99th percentile)',
          's',
          `${of('nodejs_eventloop_lag_p99_seconds')} * ${OF_BEARING}`,
          '{{job}} {{instance}}',
        ),
        line(
          'Oldest entry of each queue',
          's',
          'queue:age_seconds:max{namespace=~"$namespace"}',
          '{{queue}} {{job}}',
        ),
        line(
          'Spans that were lost',
          'reqps',
          `sum by (job, outcome) (${rate('bearing_trace_spans_total', 'outcome!="exported"')})`,
          '{{job}} {{outcome}}',
          QUIET,
        ),
      ],
    },
  ]),
  'bearing-gateway': dashboard('bearing-gateway', 'Bearing: gateway', [
    {
      title: 'Routes',
      panels: [
        line('Requests', 'reqps', perSecond('operation', HTTP), '{{operation}}'),
        line(
          'Requests that failed (4xx, 5xx, aborted)',
          'reqps',
          perSecond('operation, outcome', HTTP, 'outcome!~"[123].."'),
          '{{operation}} {{outcome}}',
          QUIET,
        ),
        line('Median by route', 's', quantile(0.5, 'operation', CALLS, HTTP), '{{operation}}'),
        line('Slowest 1 % by route', 's', quantile(0.99, 'operation', CALLS, HTTP), '{{operation}}'),
      ],
    },
    {
      title: 'Caches and limits',
      panels: [
        hits('gateway'),
        entriesOf('gateway'),
        line(
          'Refused by limits',
          'reqps',
          `sum by (limit) (${rate('bearing_limited_total', 'job="gateway"')})`,
          '{{limit}}',
          QUIET,
        ),
        line(
          'Limits that Redis did not count',
          'reqps',
          `sum by (job) (${rate('bearing_limit_store_failures_total')})`,
          '{{job}}',
          QUIET,
        ),
      ],
    },
  ]),
  'bearing-services': SERVICES,
  'bearing-nats-postgres': dashboard('bearing-nats-postgres', 'Bearing: NATS and Postgres', [
    {
      title: 'NATS',
      panels: [
        line(
          'Processes that are connected',
          'short',
          `sum by (job) (${of('bearing_nats_connected')})`,
          '{{job}}',
        ),
        line(
          'Processes that are not',
          'short',
          `sum by (job) (1 - ${of('bearing_nats_connected')})`,
          '{{job}}',
        ),
        line(
          'Reconnects',
          'short',
          `sum by (job) (increase(${of('bearing_nats_reconnects_total')}[$__rate_interval]))`,
          '{{job}}',
        ),
        line('Round trip', 's', `max by (job) (${of('bearing_nats_round_trip_seconds')})`, '{{job}}'),
        line(
          'Entries of streams',
          'short',
          `max by (job, queue) (${of('bearing_queue_entries', 'queue=~"chunks|device-locations|token-notices|dead-letters|observations|rejected-observations"')})`,
          '{{queue}}',
        ),
      ],
    },
    {
      title: 'Postgres',
      panels: [
        line(
          'Connections in use',
          'short',
          `sum by (job, pool) (${of('bearing_postgres_pool_in_use')})`,
          '{{job}} {{pool}}',
        ),
        line(
          'Share of connections in use',
          'percentunit',
          `sum by (job, pool) (${of('bearing_postgres_pool_in_use')}) / sum by (job, pool) (${of('bearing_postgres_pool_size')})`,
          '{{job}} {{pool}}',
        ),
        line(
          'Idle connections',
          'short',
          `sum by (job, pool) (${of('bearing_postgres_pool_idle')})`,
          '{{job}} {{pool}}',
        ),
        line(
          'Waiting for a connection',
          'short',
          `sum by (job, pool) (${of('bearing_postgres_pool_waiting')})`,
          '{{job}} {{pool}}',
        ),
        line(
          'Entries of tables that wait',
          'short',
          `max by (job, queue) (${of('bearing_queue_entries', 'queue=~"outbox|audit|mails|imports|deletions|webhook-deliveries.*"')})`,
          '{{job}} {{queue}}',
        ),
        {
          ...line('Migrations', 'short', of('bearing_schema_info'), '{{schema}}: {{applied}}'),
          kind: 'table',
        },
        line(
          'Migrations that are missing',
          'short',
          `max by (job, schema) (${of('bearing_schema_migrations_missing')})`,
          '{{job}}',
        ),
      ],
    },
  ]),
}
