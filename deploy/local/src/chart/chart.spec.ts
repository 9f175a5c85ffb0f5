import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { parse } from 'yaml'
import { rulesOf, withAlerts } from './alerts-table.js'
import { valuesSchema } from './chart-schema.js'
import { chartSettings, settingsFile, type Schema } from './chart-settings.js'
import { fakeCluster } from './testing/fake-cluster.js'
import { findHelm } from './helm.js'
import { Helm, containerOf, named, ofKind, variablesOf, workloads, type Manifest } from './testing/render.js'
import { SERVICE_NAMES } from '../settings-of-environment.js'
import { readValues } from './values-file.js'

const CHECKOUT = join(import.meta.dirname, '..', '..', '..', '..')
const CHART = join(CHECKOUT, 'deploy', 'helm', 'bearing')
const VALUES = ['minimal', 'production', 'everything'] as const
const read = (...path: string[]) => readFileSync(join(CHECKOUT, ...path), 'utf8')
const valueFile = (name: string) => read('deploy/helm/bearing/ci', `${name}.yaml`)
const squeeze = (text: string) => text.replaceAll(/[ \t]+/g, ' ').replaceAll(/-+/g, '-')

let helm: Helm
beforeAll(async () => {
  helm = new Helm(await findHelm(join(CHECKOUT, '.bearing', 'helm')), CHART)
}, 60_000)

type Tree = Readonly<Record<string, unknown>>

/** Paths of all numbers among the defaults. */
function numbersIn(node: unknown): string[][] {
  if (typeof node !== 'object' || node === null || Array.isArray(node)) return []
  return Object.entries(node).flatMap(([key, value]) =>
    typeof value === 'number' ? [[key]] : numbersIn(value).map((path) => [key, ...path]),
  )
}

/** Names of defaults that the schema of their object does not require. */
function optionalDefaults(schema: Schema, defaults: unknown): string[] {
  const { properties, required = [] } = schema as { properties?: Record<string, Schema>; required?: string[] }
  if (!properties) return []
  return Object.entries(defaults as Tree).flatMap(([key, value]) => [
    ...(required.includes(key) ? [] : [key]),
    ...optionalDefaults(properties[key] ?? {}, value),
  ])
}

/** Paths of all values; those of services without the name of the service. Settings have a page of their own. */
function valuesOf(schema: Schema, path: readonly string[] = []): string[] {
  const { properties } = schema as { properties?: Record<string, Schema> }
  if (!properties || ['settings', 'references', 'digests'].includes(path.at(-1) ?? ''))
    return [path.join('.')]
  return Object.entries(properties).flatMap(([name, value]) => {
    if (path.length === 0 && name === 'global') return []
    return valuesOf(value, (SERVICE_NAMES as readonly string[]).includes(name) ? [] : [...path, name])
  })
}

describe('files of the chart that `npx pnpm generate` writes', () => {
  it('are up to date with the settings of the services, the values and the alerts', async () => {
    const settings = await chartSettings(CHECKOUT)
    const written = (...path: string[]) => JSON.parse(read('deploy/helm/bearing', ...path)) as unknown
    expect(written('files', 'settings.json')).toEqual(JSON.parse(settingsFile(settings)))
    const values = readValues(read('deploy/helm/bearing/values.yaml'))
    expect(written('values.schema.json')).toEqual(JSON.parse(valuesSchema(settings, values)))
    const page = read('docs', 'monitoring.md')
    expect(squeeze(page)).toBe(squeeze(withAlerts(page, read('deploy/helm/bearing/files/rules.yaml'))))
  })
})

describe('values', () => {
  it('are all described in the README of the chart', () => {
    const readme = read('deploy/helm/bearing/README.md')
    const schema = JSON.parse(read('deploy/helm/bearing/values.schema.json')) as Schema
    const described = [...readme.matchAll(/^\| `([\w.]+)`.*\| \S.*\|$/gm)].map(([, path]) => path)
    expect([...new Set(described)].toSorted()).toEqual([...new Set(valuesOf(schema))].toSorted())
  })

  it.each(['', ...VALUES])('of %p pass the strict lint of Helm', (name) => {
    const { status, stdout, stderr } = helm.run(['lint', '--strict'], name && valueFile(name))
    expect([status, stdout + stderr]).toEqual([0, expect.stringContaining('0 chart(s) failed')])
  })

  it.each([
    [{ replicas: 3 }, 'replicas'],
    [{ gateway: { replica: 3 } }, 'replica'],
    [{ gateway: { settings: { DATABASE_POOL: 5 } } }, 'DATABASE_POOL'],
    [{ identity: { settings: { IDENTITY_PEPPERS: '1:c2VjcmV0' } } }, 'IDENTITY_PEPPERS'],
    [{ identity: { secret: { optionalKeys: ['SMTP_ULR'] } } }, 'optionalKeys'],
    [{ management: { settings: { DELETED_KEPT_DAYS: 'seven' } } }, 'DELETED_KEPT_DAYS'],
    [{ gateway: { extraEnv: { NATS_URL: 'nats://elsewhere:4222' } } }, 'NATS_URL'],
    [{ gateway: { podLabels: { 'app.kubernetes.io/name': 'other' } } }, 'app.kubernetes.io/name'],
    [{ nats: { url: 'nats://user:password@nats:4222' } }, '/nats/url'],
    [{ image: { tag: 'latest' } }, '/image/tag'],
    [{ httpRoute: { enabled: true, parentRefs: [{}] }, ingress: { enabled: true } }, 'not both'],
    [{ redis: { enabled: false } }, 'Without Redis'],
    [{ image: { registry: '' } }, 'Set image.registry'],
    [{ migration: { extraEnv: { DATABASE_URL: 'postgres://elsewhere' } } }, 'DATABASE_URL'],
    [{ management: { autoscaling: { enabled: true } } }, 'prometheusAddress'],
  ])('%j are refused, with a message that names the mistake', (values, message) => {
    expect(() => helm.render(values)).toThrow(message)
  })

  it('on the page about EKS, GKE and AKS are accepted, with the common ones, for each of the three', () => {
    const page = read('docs', 'cloud-kubernetes.md').replaceAll('LOADBALANCER', '10.0.0.0/16')
    const blocks = [...page.matchAll(/```yaml\n(.*?)```/gs)].map(([, block = '']) => parse(block) as object)
    const [common, ...clouds] = blocks
    expect(clouds.length).toBeGreaterThan(1)
    for (const cloud of [{}, ...clouds])
      expect(helm.render({ ...common, ...cloud }).length).toBeGreaterThan(10)
  })

  it('of every number are refused when set to null, which Helm would otherwise render as 0', () => {
    // Without an id of a user the platform assigns one.
    const numbers = numbersIn(readValues(read('deploy/helm/bearing/values.yaml')).defaults).filter(
      ([first]) => first !== 'podSecurityContext',
    )
    expect(numbers.length).toBeGreaterThan(15)
    for (const path of numbers) {
      const values = path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), null)
      expect(() => helm.render(values as object)).toThrow(`missing property '${path.at(-1) ?? ''}'`)
    }
  })

  it('that have a default are all required, so null cannot remove one', () => {
    const schema = JSON.parse(read('deploy/helm/bearing/values.schema.json')) as Schema
    const { defaults } = readValues(read('deploy/helm/bearing/values.yaml'))
    const optional = optionalDefaults(schema, defaults)
    expect(optional).toEqual([])
  })

  it('let a service have several processes without Redis if the operator accepts limits for each', () => {
    const redis = { enabled: false, acceptLimitsPerProcess: true }
    expect(named(helm.render({ redis }), 'Deployment', 'gateway').spec.replicas).toBe(2)
  })
})

describe.each(VALUES)('the chart with the values of %s', (name) => {
  let manifests: readonly Manifest[]
  beforeAll(() => {
    manifests = helm.render(valueFile(name))
  })

  it('renders the same twice', () => {
    expect(helm.run(['template', 'bearing'], valueFile(name)).stdout).toBe(
      helm.run(['template', 'bearing'], valueFile(name)).stdout,
    )
  })

  it('has no hooks but the test, no rights and no Secret', () => {
    const installed = manifests.filter(({ metadata }) => metadata.annotations?.['helm.sh/hook'] !== 'test')
    expect(manifests.length - installed.length).toBe(1)
    const kinds = new Set(manifests.map(({ kind }) => kind))
    for (const kind of ['Secret', 'Role', 'ClusterRole', 'RoleBinding', 'ClusterRoleBinding'])
      expect(kinds).not.toContain(kind)
    expect(JSON.stringify(installed)).not.toMatch(
      /helm\.sh\/hook|argocd\.argoproj\.io\/hook|ttlSecondsAfterFinished/,
    )
  })

  it('gives each object its own name', () => {
    const names = manifests.map(
      ({ kind, metadata }) => `${kind} ${metadata.namespace ?? ''}/${metadata.name}`,
    )
    expect(names).toEqual([...new Set(names)])
    expect(new Set(manifests.map(({ metadata }) => metadata.namespace))).toEqual(new Set(['bearing']))
  })

  it('runs every pod as `restricted` demands, with a read-only root and without a token', () => {
    const found = workloads(manifests)
    expect(found).toHaveLength(5)
    for (const { spec } of found) {
      const pod = spec.template.spec
      expect(pod).toMatchObject({
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
      })
      for (const key of ['hostNetwork', 'hostPID', 'hostIPC', 'initContainers'])
        expect(pod).not.toHaveProperty(key)
      expect(pod.containers).toHaveLength(1)
      expect(pod.containers[0]?.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        runAsNonRoot: true,
        capabilities: { drop: ['ALL'] },
      })
    }
  })

  it('gives services known settings only, and secrets by reference only', async () => {
    const settings = await chartSettings(CHECKOUT)
    for (const service of SERVICE_NAMES) {
      const { plain, secret } = settings[service]
      const chosen = ['HEALTH_PORT', ...(service === 'gateway' ? ['PORT'] : [])]
      for (const { name: variable, value, valueFrom } of containerOf(named(manifests, 'Deployment', service))
        .env) {
        if (variable.startsWith('NODE_')) continue
        expect([...Object.keys(plain), ...secret, ...chosen]).toContain(variable)
        // A URL without a password, as the schema demands.
        if (variable === 'NATS_URL' && valueFrom === undefined) expect(value).not.toContain('@')
        else
          expect([variable, valueFrom?.secretKeyRef !== undefined]).toEqual([
            variable,
            secret.includes(variable),
          ])
      }
    }
    const migrations = ofKind(manifests, 'Job')
    expect(migrations).toHaveLength(1)
    for (const { name: variable, valueFrom } of migrations.flatMap((job) => containerOf(job).env))
      expect([variable, valueFrom?.secretKeyRef === undefined]).toEqual([variable, false])
  })

  it('names ports as the services open them, and probes that they answer', () => {
    const health = read('packages/service/src/observe/health.ts')
    for (const service of SERVICE_NAMES) {
      const deployment = named(manifests, 'Deployment', service)
      const variables = variablesOf(deployment)
      const { ports, livenessProbe, readinessProbe, startupProbe } = containerOf(deployment)
      expect(ports).toEqual([
        ...(service === 'gateway' ? [{ name: 'http', containerPort: Number(variables.get('PORT')) }] : []),
        { name: 'metrics', containerPort: Number(variables.get('HEALTH_PORT')) },
      ])
      expect([livenessProbe.httpGet, readinessProbe.httpGet, startupProbe]).toEqual([
        { path: '/livez', port: 'metrics' },
        { path: '/readyz', port: 'metrics' },
        undefined,
      ])
    }
    for (const path of ['/livez', '/readyz', '/metrics']) expect(health).toContain(`'${path}'`)
  })

  it('gives a pod longer to stop than the service takes', async () => {
    const settings = await chartSettings(CHECKOUT)
    for (const service of SERVICE_NAMES) {
      const deployment = named(manifests, 'Deployment', service)
      const ms = (key: string) =>
        Number(variablesOf(deployment).get(key) ?? settings[service].plain[key]?.default)
      const stop = (ms('SHUTDOWN_DELAY_MS') + ms('SHUTDOWN_TIMEOUT_MS')) / 1000
      const grace = deployment.spec.template.spec.terminationGracePeriodSeconds
      expect([service, grace > stop, grace <= stop + 6]).toEqual([service, true, true])
    }
  })

  it('selects each pod by labels that no value and no version changes', () => {
    for (const service of SERVICE_NAMES) {
      const labels = {
        'app.kubernetes.io/name': 'bearing',
        'app.kubernetes.io/instance': 'bearing',
        'app.kubernetes.io/component': service,
      }
      const { spec } = named(manifests, 'Deployment', service)
      expect(spec.selector).toEqual({ matchLabels: labels })
      expect(spec.template.metadata.labels).toMatchObject(labels)
      expect(spec.strategy.rollingUpdate.maxUnavailable).toBe(0)
      expect(named(manifests, 'PodDisruptionBudget', service).spec).toMatchObject({
        selector: { matchLabels: labels },
        unhealthyPodEvictionPolicy: 'AlwaysAllow',
      })
    }
  })

  it('fixes the number of processes only where nothing scales them', () => {
    const scaled = [
      ...ofKind(manifests, 'HorizontalPodAutoscaler'),
      ...ofKind(manifests, 'ScaledObject'),
    ].map(({ spec }) => spec.scaleTargetRef.name)
    for (const { metadata, spec } of ofKind(manifests, 'Deployment'))
      expect([metadata.name, spec.replicas === undefined]).toEqual([
        metadata.name,
        scaled.includes(metadata.name),
      ])
  })
})

describe.each([
  ['HorizontalPodAutoscaler', 'gateway', {}],
  ['ScaledObject', 'management', { prometheusAddress: 'http://prometheus.example.com:9090' }],
] as const)('a Deployment that a %s scales', (kind, service, more) => {
  const scaled = { [service]: { autoscaling: { enabled: true, minReplicas: 4, ...more } } }
  const seen = (manifests: readonly Manifest[]) => ({
    replicas: named(manifests, 'Deployment', service).spec.replicas,
    scalers: ofKind(manifests, kind).length,
  })

  it('keeps the replicas that it has when autoscaling is switched on, and has none of its own before', async () => {
    await using cluster = await fakeCluster({ [`bearing-${service}`]: 5 })
    expect(seen(await helm.renderWith(cluster.kubeconfig, scaled))).toEqual({ replicas: 5, scalers: 1 })
    await using empty = await fakeCluster({})
    const first = { replicas: undefined, scalers: 1 }
    expect(seen(await helm.renderWith(empty.kubeconfig, scaled))).toEqual(first)
    expect(seen(helm.render(scaled))).toEqual(first)
  })

  it('has the replicas of the values when autoscaling is switched off', async () => {
    await using cluster = await fakeCluster({ [`bearing-${service}`]: 6 })
    const values = { [service]: { replicas: 5 } }
    expect(seen(await helm.renderWith(cluster.kubeconfig, values))).toEqual({ replicas: 5, scalers: 0 })
  })
})

describe('rules of Prometheus', () => {
  const rules = read('deploy/helm/bearing/files/rules.yaml')

  it('are installed as they are in the file', () => {
    const [installed] = ofKind(helm.render(valueFile('production')), 'PrometheusRule')
    expect(installed?.spec).toEqual(parse(rules))
  })

  it('have dashboards beside them, which the sidecar of Grafana finds by their label', () => {
    const { dashboards } = parse(valueFile('everything')) as { dashboards: { annotations: object } }
    const maps = ofKind(helm.render(valueFile('everything')), 'ConfigMap')
    expect(maps).toHaveLength(readdirSync(join(CHART, 'files', 'dashboards')).length)
    for (const { metadata, data } of maps as (Manifest & { data: Readonly<Record<string, string>> })[]) {
      expect(metadata.labels).toMatchObject({ grafana_dashboard: '1' })
      expect(metadata.annotations).toMatchObject(dashboards.annotations)
      for (const [file, json] of Object.entries(data))
        expect(json.trim()).toBe(read('deploy/helm/bearing/files/dashboards', file).trim())
    }
    expect(ofKind(helm.render(), 'ConfigMap')).toEqual([])
  })

  it('use metrics that the services have, and records that the file makes', () => {
    const source = readdirSync(join(CHECKOUT, 'packages/service/src'), { encoding: 'utf8', recursive: true })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
      .map((file) => read('packages/service/src', file))
      .join('\n')
    const metrics = [...rules.matchAll(/bearing_[a-z_]+/g)].map(([name]) =>
      name.replace(/_(count|bucket|sum)$/, ''),
    )
    expect(metrics.length).toBeGreaterThan(2)
    for (const name of metrics) expect(source).toContain(`'${name}'`)
    const used = rulesOf(rules).flatMap(({ expr }) => expr.match(/(?:queue|to|slo):[a-z_]+:\w+/g) ?? [])
    for (const record of used) expect(rules).toContain(`record: ${record}\n`)
    expect(existsSync(join(CHECKOUT, 'docs', 'erasure.md'))).toBe(true)
  })
})
