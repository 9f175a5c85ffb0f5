import { randomUUID } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '@bearing/testing/eventually'
import { newOrganization, type TestOrganization } from '@bearing/testing/factories'
import { startStack, type Stack } from '@bearing/testing/stack'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { send } from '../tools/http.js'
import { startPrometheus, type Prometheus } from '../tools/prometheus.js'
import { ROOT } from '../tools/root.js'

const FILES = join(ROOT, 'deploy', 'helm', 'bearing', 'files')
const JOBS = { gateway: 'gateway-1', identity: 'identity', management: 'management', location: 'location' }
/** Only where a collector, or Redis, is set. */
const ELSEWHERE = ['bearing_trace_spans_total', 'bearing_limit_store_failures_total']

interface Panel {
  readonly title: string
  readonly description?: string
  readonly targets?: readonly { readonly expr: string }[]
}

/** Every expression of every dashboard, as Grafana asks it where all namespaces are chosen. */
const EXPRESSIONS = readdirSync(join(FILES, 'dashboards')).flatMap((file) => {
  const { title, panels } = JSON.parse(readFileSync(join(FILES, 'dashboards', file), 'utf8')) as {
    title: string
    panels: readonly Panel[]
  } // as Grafana exports them
  return panels.flatMap((panel) =>
    (panel.targets ?? []).map(({ expr }) => ({
      name: `${title}: ${panel.title}`,
      expression: expr.replaceAll('$namespace', '.*').replaceAll('$__rate_interval', '1m'),
      mayBeEmpty: panel.description !== undefined,
    })),
  )
})

/** The metrics of the page that the gateway serves, by name. */
function metricsOfPage() {
  const page = readFileSync(join(ROOT, 'apps', 'docs', 'dist', 'pages', 'metrics.md'), 'utf8')
  const rows = [...page.matchAll(/^\| `(bearing_\w+)` \| (\w+) \| (.*?) \| (.*) \|$/gm)]
  return new Map(
    rows.map(([, name = '', type, labels = '', help]) => [
      name,
      { type, help, labels: [...labels.matchAll(/\w+/g)].map(([label]) => label) },
    ]),
  )
}

describe('a Prometheus that scrapes a running stack', () => {
  let stack: Stack
  let prometheus: Prometheus
  let own: TestOrganization

  beforeAll(async () => {
    stack = await startStack({ gateways: 1 })
    const jobs = Object.entries(JOBS).map(([job, part]) => [job, [stack.healthAddress(part)]])
    prometheus = await startPrometheus(
      Object.fromEntries(jobs) as Record<string, string[]>,
      join(FILES, 'rules.yaml'),
    )
    own = await newOrganization(stack)
  }, 120_000)

  afterAll(async () => {
    await prometheus.stop()
    await stack.stop()
  })

  /** One request of each kind that dashboards show. */
  async function traffic(): Promise<void> {
    const gateway = stack.gatewayUrls[0] ?? ''
    const scope = { organization: own.slug, project: own.project.slug }
    await send(gateway, 'POST', `/api/v0/chunks/D${randomUUID()}`, {
      credential: { kind: 'project_key', key: own.project.key },
      headers: { 'content-type': 'application/octet-stream' },
      body: new Uint8Array([1]),
    })
    const accessPoints = ['02:00:00:00:00:10', '02:00:00:00:02:00'].map((macAddress) => ({
      macAddress,
      signalStrength: -50,
    }))
    await own.token.client.call('resolveWifiLocation', { ...scope, accessPoints }).catch(() => undefined)
    await own.admin.client.call('listProjects', { organization: own.slug })
  }

  it('has data for every expression of the dashboards, except those about what did not happen', async () => {
    expect(EXPRESSIONS.length).toBeGreaterThan(50)
    await eventually(
      async () => {
        await traffic()
        const empty: string[] = []
        for (const { name, expression, mayBeEmpty } of EXPRESSIONS) {
          const result = await prometheus.query(expression)
          const hasData = result.some(({ value: [, value] }) => value !== 'NaN')
          if (!hasData && !mayBeEmpty) empty.push(name)
        }
        expect(empty).toEqual([])
      },
      { withinMs: 40_000, everyMs: 700 },
    )
  })

  it('evaluates every rule, and raises no alert', async () => {
    const { groups } = (await prometheus.api('rules')) as {
      groups: { rules: { name: string; health: string; lastError?: string }[] }[]
    }
    const rules = groups.flatMap((group) => group.rules)
    expect(rules.filter(({ health }) => health !== 'ok')).toEqual([])
    expect(rules.length).toBeGreaterThan(40)
    expect(await prometheus.api('alerts')).toEqual({ alerts: [] })
  })

  it('finds each metric that the reference describes, as it does, and no other of Bearing', async () => {
    const described = metricsOfPage()
    const texts = await Promise.all(Object.values(JOBS).map((part) => stack.metrics(part)))
    const found = texts.flatMap((text) => [...text.matchAll(/^# (HELP|TYPE) (bearing_\w+) (.*)$/gm)])
    const names = found.map(([, , name = '']) => name)
    expect([...described.keys()].toSorted()).toEqual([...new Set([...names, ...ELSEWHERE])].toSorted())
    for (const [, kind, name = '', said] of found)
      expect([name, said]).toEqual([name, described.get(name)?.[kind === 'HELP' ? 'help' : 'type']])
    const series = texts.flatMap((text) => [...text.matchAll(/^(bearing_\w+)\{(.*)\} /gm)])
    expect(series.length).toBeGreaterThan(50)
    for (const [, name = '', labels = ''] of series) {
      const metric = described.get(name) ?? described.get(name.replace(/_(?:bucket|sum|count)$/, ''))
      const used = [...labels.matchAll(/(\w+)="/g)]
        .map(([, label = '']) => label)
        .filter((label) => label !== 'le')
      expect([name, used.toSorted()]).toEqual([name, metric?.labels.toSorted()])
    }
  })
})
