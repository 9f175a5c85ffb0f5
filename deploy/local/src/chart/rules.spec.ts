import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findPrometheus } from '@bearing/local/prometheus-binary'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { stringify } from 'yaml'
import { rulesOf } from './alerts-table.js'

const CHECKOUT = join(import.meta.dirname, '..', '..', '..', '..')
const RULES = join(CHECKOUT, 'deploy', 'helm', 'bearing', 'files', 'rules.yaml')
const rules = rulesOf(readFileSync(RULES, 'utf8'))
const alerts = rules.flatMap((rule) => (rule.alert === undefined ? [] : [{ ...rule, alert: rule.alert }]))

/** Samples by series, one each minute, in promtool's notation: `0+60x30` grows by 60, thirty times. */
type Series = Readonly<Record<string, string>>
type Labels = Readonly<Record<string, string>>

const PROCESS = 'job="management", instance="one", namespace="bearing"'
const queue = (name: string) => `bearing_queue_oldest_age_seconds{${PROCESS}, queue="${name}"}`
const entries = (name: string) => `bearing_queue_entries{${PROCESS}, queue="${name}"}`
const outbox = (job: string) =>
  `bearing_queue_entries{job="${job}", instance="one", namespace="bearing", queue="outbox"}`
const outgoing = (to: string, outcome: string) =>
  `bearing_outgoing_call_duration_seconds_count{${PROCESS}, to="${to}", outcome="${outcome}"}`
const http = (route: string, outcome: string) =>
  `bearing_call_duration_seconds_count{job="gateway", instance="one", namespace="bearing", operation="http.${route}", outcome="${outcome}"}`
const build = (service: string, version = '1.0.0') =>
  `bearing_build_info{job="${service}", instance="${version}", namespace="bearing", service="${service}", version="${version}"}`

/** An installation at rest, and then some load: for hours. */
const HEALTHY: Series = {
  [queue('chunks')]: '2x160',
  [queue('device-locations')]: '0x160',
  [queue('outbox')]: '1x160',
  [queue('audit')]: '1x160',
  [queue('audit-checkpoints')]: '70x160',
  [queue('webhook-deliveries')]: '10x160',
  [queue('webhook-data-s3')]: '70x160',
  [queue('webhook-audit')]: '70x160',
  [queue('imports')]: '60x160',
  [queue('deletions')]: '3600x160',
  [entries('dead-letters')]: '0x160',
  ...Object.fromEntries(['identity', 'management', 'location'].map((job) => [outbox(job), '0x160'])),
  [outgoing('mail', 'ok')]: '0+10x160',
  [outgoing('mail', 'timeout')]: '0+1x160',
  [outgoing('webhook', 'ok')]: '0+10x160',
  [outgoing('webhook', '5xx')]: '0+5x160',
  [http('listProjects', '200')]: '0+6000x160',
  // One in 10,000: a tenth of what the objective allows.
  [http('listProjects', '503')]: '0+0.6x160',
  [http('sendChunks', '202')]: '0+6000x160',
  [`bearing_stored_delay_seconds_count{${PROCESS}, queue="chunks"}`]: '0+6000x160',
  [`bearing_stored_delay_seconds_bucket{${PROCESS}, queue="chunks", le="60"}`]: '0+6000x160',
  [build('gateway')]: '1x160',
  [build('management')]: '1x160',
  [`bearing_nats_connected{${PROCESS}}`]: '1x160',
  [`bearing_nats_reconnects_total{${PROCESS}}`]: '0x60 1x100',
  [`bearing_postgres_pool_waiting{${PROCESS}, pool="main"}`]: '0 3 0x158',
  [`nodejs_eventloop_lag_p99_seconds{job="management", instance="1.0.0", namespace="bearing"}`]: '0.02x160',
  [`bearing_schema_migrations_missing{${PROCESS}, schema="management"}`]: '0x160',
  [`bearing_limit_store_failures_total{${PROCESS}}`]: '0x160',
  // It catches up now and then.
  [`bearing_stream_consumer_waiting{${PROCESS}, consumer="billing"}`]: '5000 5000 20 5000 5000 20x155',
}

/** Series that make an alert fire, in place of or beside {@link HEALTHY}, and the labels of the alert; null: the series is gone. */
const FIRES: Readonly<Record<string, readonly [Readonly<Record<string, string | null>>, Labels]>> = {
  BearingErrorBudgetBurnsFast: [
    { [http('listProjects', '503')]: '0x5 0+300x155' },
    { slo: 'gateway-availability', namespace: 'bearing' },
  ],
  BearingErrorBudgetBurnsSlowly: [
    // 0.7 % of uploads: 14 times what the objective allows.
    { [http('sendChunks', '503')]: '0+42x160' },
    { slo: 'upload-availability', namespace: 'bearing' },
  ],
  BearingDataNotStored: [{ [queue('chunks')]: '400x160' }, { queue: 'chunks' }],
  BearingEventsNotPublished: [{ [queue('outbox')]: '400x160' }, { queue: 'outbox' }],
  BearingAuditNotHandedOver: [{ [queue('audit')]: '400x160' }, { queue: 'audit' }],
  BearingAuditNotSigned: [{ [queue('audit-checkpoints')]: '1000x160' }, { queue: 'audit-checkpoints' }],
  BearingWebhooksLate: [{ [queue('webhook-deliveries')]: '400x160' }, { queue: 'webhook-deliveries' }],
  BearingDataLate: [{ [queue('webhook-data-s3')]: '4000x160' }, { queue: 'webhook-data-s3' }],
  BearingLearningStuck: [{ [queue('imports')]: '4000x160' }, { queue: 'imports' }],
  BearingErasureStuck: [{ [queue('deletions')]: '90000x160' }, { queue: 'deletions' }],
  BearingDeadLetters: [{ [entries('dead-letters')]: '1x160' }, { queue: 'dead-letters' }],
  BearingMailsNotSent: [{ [outgoing('mail', 'timeout')]: '0+30x160' }, { to: 'mail', namespace: 'bearing' }],
  BearingNobodyOutsideAnswers: [
    { [outgoing('webhook', 'unreachable')]: '0+900x160' },
    { to: 'webhook', namespace: 'bearing' },
  ],
  BearingIdentityAbsent: [{ [outbox('identity')]: null }, { job: 'identity', queue: 'outbox' }],
  BearingManagementAbsent: [{ [outbox('management')]: null }, { job: 'management', queue: 'outbox' }],
  BearingLocationAbsent: [{ [outbox('location')]: null }, { job: 'location', queue: 'outbox' }],
  BearingGatewayAbsent: [{ [build('gateway')]: null }, { service: 'gateway' }],
  BearingNatsLost: [{ [`bearing_nats_connected{${PROCESS}}`]: '0x160' }, { instance: 'one' }],
  BearingNatsUnstable: [{ [`bearing_nats_reconnects_total{${PROCESS}}`]: '0+1x160' }, { instance: 'one' }],
  BearingDatabaseConnectionsUsedUp: [
    { [`bearing_postgres_pool_waiting{${PROCESS}, pool="main"}`]: '2x160' },
    { pool: 'main', instance: 'one' },
  ],
  BearingEventLoopHeld: [
    {
      [`nodejs_eventloop_lag_p99_seconds{job="management", instance="1.0.0", namespace="bearing"}`]:
        '0.4x160',
    },
    { instance: '1.0.0', namespace: 'bearing', job: 'management' },
  ],
  BearingMigrationMissing: [
    { [`bearing_schema_migrations_missing{${PROCESS}, schema="management"}`]: '2x160' },
    { schema: 'management', instance: 'one' },
  ],
  BearingVersionsMixed: [{ [build('management', '1.1.0')]: '1x160' }, { namespace: 'bearing' }],
  BearingLimitStoreAway: [
    { [`bearing_limit_store_failures_total{${PROCESS}}`]: '0+10x160' },
    { instance: 'one' },
  ],
  BearingStreamConsumerBehind: [
    { [`bearing_stream_consumer_waiting{${PROCESS}, consumer="billing"}`]: '5000x160' },
    { consumer: 'billing', namespace: 'bearing' },
  ],
}
/** Labels of alerts about one process or one of its queues. */
const labelsOf = (labels: Labels): Labels => ({
  ...('queue' in labels && !('job' in labels) && { job: 'management', namespace: 'bearing' }),
  ...(labels['instance'] === 'one' && { job: 'management', namespace: 'bearing' }),
  ...labels,
})

let promtool: string
let folder: string
beforeAll(async () => {
  promtool = (await findPrometheus(join(CHECKOUT, '.bearing', 'prometheus'))).promtool
  folder = mkdtempSync(join(tmpdir(), 'bearing-rules-'))
}, 120_000)
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

function run(...args: string[]): { readonly status: number | null; readonly output: string } {
  const { status, stdout, stderr } = spawnSync(promtool, args, { encoding: 'utf8' })
  return { status, output: stdout + stderr }
}

/** Time by which most alerts have fired; those that wait longer are looked at later. */
const AFTER = '20m'
const PATIENT: Readonly<Record<string, string>> = { BearingVersionsMixed: '130m' }

/** A test of promtool: which of some alerts fire after a time. */
function fixture(
  series: Readonly<Record<string, string | null>>,
  expected: ReadonlyMap<string, Labels | undefined>,
  after: string,
) {
  return {
    interval: '1m',
    input_series: Object.entries({ ...HEALTHY, ...series }).flatMap(([name, values]) =>
      values === null ? [] : [{ series: name, values }],
    ),
    alert_rule_test: alerts.flatMap(({ alert, labels, annotations }) => {
      if (!expected.has(alert)) return []
      const found = expected.get(alert)
      const fired = { exp_labels: { ...labels, ...(found && labelsOf(found)) }, exp_annotations: annotations }
      return [{ eval_time: after, alertname: alert, exp_alerts: found ? [fired] : [] }]
    }),
  }
}

describe('the rules for Prometheus', () => {
  it('have a test for each alert', () => {
    expect(Object.keys(FIRES).toSorted()).toEqual(alerts.map(({ alert }) => alert).toSorted())
  })

  it('are valid, fire each alert for what it is about, and stay quiet about a healthy installation', () => {
    expect(run('check', 'rules', RULES)).toMatchObject({ status: 0 })
    const quiet = fixture({}, new Map(alerts.map(({ alert }) => [alert, undefined])), '140m')
    const loud = Object.entries(FIRES).map(([alert, [series, labels]]) =>
      fixture(series, new Map([[alert, labels]]), PATIENT[alert] ?? AFTER),
    )
    const file = join(folder, 'rules.test.yaml')
    writeFileSync(
      file,
      stringify({ rule_files: [RULES], evaluation_interval: '1m', tests: [quiet, ...loud] }),
    )
    expect(run('test', 'rules', file)).toEqual({ status: 0, output: expect.stringContaining('SUCCESS') })
    // The fixture is able to fail.
    const wrong = fixture({}, new Map([['BearingNatsLost', { instance: 'one' }]]), AFTER)
    writeFileSync(file, stringify({ rule_files: [RULES], evaluation_interval: '1m', tests: [wrong] }))
    expect(run('test', 'rules', file).status).toBe(1)
  }, 120_000)
})
