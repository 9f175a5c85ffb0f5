import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { parse, parseAllDocuments } from 'yaml'
import { findHelm } from './helm.js'
import { containerOf, Helm, named, ofKind, variablesOf, workloads, type Manifest } from './testing/render.js'

const CHECKOUT = join(import.meta.dirname, '..', '..', '..', '..')
const read = (...path: string[]) => readFileSync(join(CHECKOUT, 'deploy', 'kubernetes', ...path), 'utf8')
/** In the order of their health ports. */
const PARTS = ['gateway', 'identity', 'management', 'location'] as const
const SMALL = read('small', 'bearing-values.yaml')

let helm: Helm
let manifests: readonly Manifest[]
beforeAll(async () => {
  helm = new Helm(await findHelm(join(CHECKOUT, '.bearing', 'helm')), join(CHECKOUT, 'deploy/helm/bearing'))
  manifests = helm.render(SMALL)
}, 60_000)

/** Returns the first `requests` of a container in a text. */
function requestedBy(text: string): { cpus: number; mib: number } {
  const [, cpu = '', memory = ''] =
    /"?requests"?: ?\{ ?"?cpu"?: ?"?(\d+)m"?, ?"?memory"?: ?"?(\d+)Mi/.exec(text) ?? []
  return { cpus: Number(cpu) / 1000, mib: Number(memory) }
}

describe('the preset small', () => {
  it('is one Deployment of the one-process image, and passes the strict lint of Helm', () => {
    const deployments = ofKind(manifests, 'Deployment')
    expect(deployments.map(({ metadata, spec }) => [metadata.name, spec.replicas])).toEqual([
      ['bearing-one', 1],
    ])
    expect(workloads(manifests).map((one) => containerOf(one).image)).toEqual([
      expect.stringMatching(/\/bearing-one:/),
      expect.stringMatching(/\/bearing-migrate:/),
    ])
    expect(helm.run(['lint', '--strict'], SMALL)).toMatchObject({ status: 0 })
  })

  it('requests at most 1 GiB with its Postgres and its NATS, as the page says, and during an upgrade so much more', () => {
    const [one, migration] = workloads(manifests).map((workload) => requestedBy(JSON.stringify(workload)))
    const stores = ['postgres.yaml', 'nats-values.yaml'].map((file) => requestedBy(read('small', file)))
    const text = (parts: readonly (ReturnType<typeof requestedBy> | undefined)[]) => {
      const sum = (key: 'cpus' | 'mib') =>
        parts.reduce((total, part) => total + (part?.[key] ?? Number.NaN), 0)
      expect(sum('mib')).toBeLessThanOrEqual(1024)
      return `${sum('cpus').toFixed(1)} CPUs and ${(sum('mib') / 1024).toFixed(1)} GiB`
    }
    const page = readFileSync(join(CHECKOUT, 'docs', 'kubernetes.md'), 'utf8')
    expect(page).toContain(`${text([one, ...stores])} are requested in all`)
    expect(page).toContain(`an upgrade needs ${text([one, migration])} more`)
  })

  it('gives each part the environment that its own Deployment would have, under its prefix', () => {
    const { one: _, ...rest } = parse(SMALL) as Readonly<Record<string, object>>
    const four = helm.render({
      ...rest,
      redis: { enabled: false, acceptLimitsPerProcess: true },
      settings: { LOG_LEVEL: 'warn' },
    })
    const expected = PARTS.flatMap((name) =>
      containerOf(named(four, 'Deployment', name))
        .env.filter((variable) => variable.name !== 'HEALTH_PORT')
        .map((variable) => ({ ...variable, name: `${name.toUpperCase()}__${variable.name}` })),
    )
    const one = helm.render({ ...(parse(SMALL) as object), settings: { LOG_LEVEL: 'warn' } })
    expect(containerOf(named(one, 'Deployment', 'one')).env).toEqual([
      { name: 'HEALTH_PORT', value: '9090' },
      ...expected,
    ])
    expect(variablesOf(named(one, 'Deployment', 'one')).get('IDENTITY__STREAM_REPLICAS')).toBe('1')
  })

  it('is reached as the gateway is, and shows the metrics of all four parts', () => {
    const component = { 'app.kubernetes.io/component': 'one' }
    expect(named(manifests, 'Service', 'gateway').spec).toMatchObject({ selector: component })
    expect(containerOf(named(manifests, 'Deployment', 'one')).ports).toEqual([
      { name: 'http', containerPort: 8080 },
      { name: 'metrics', containerPort: 9090 },
      ...PARTS.slice(1).map((name, index) => ({ name, containerPort: 9091 + index })),
    ])
    const [monitor] = ofKind(
      helm.render({ ...(parse(SMALL) as object), serviceMonitor: { enabled: true } }),
      'ServiceMonitor',
    )
    const { endpoints } = monitor?.spec as unknown as {
      endpoints: readonly { relabelings: readonly object[] }[]
    }
    expect(endpoints.map(({ relabelings }) => relabelings[0])).toEqual(
      PARTS.map((replacement) => ({ targetLabel: 'job', replacement })),
    )
  })

  it('may reach what its parts may reach together, and no other process has a policy', () => {
    const policies = ofKind(manifests, 'NetworkPolicy').map(({ metadata }) => metadata.name)
    expect(policies.toSorted()).toEqual(
      ['cli', 'default-deny', 'migrate', 'one'].map((name) => `bearing-${name}`),
    )
    const { egress = [] } = named(manifests, 'NetworkPolicy', 'one').spec
    const ports = egress.map(({ ports }) => (ports as { port?: number }[])[0]?.port)
    expect(ports).toEqual([53, 4222, 5432, undefined])
    const ranges = {
      management: { settings: { WEBHOOK_PRIVATE_RANGES: '10.1.0.0/16' } },
      location: { settings: { LOCATION_FALLBACK_PRIVATE_RANGES: '10.2.0.0/16' } },
    }
    const open = JSON.stringify(helm.render({ ...(parse(SMALL) as object), ...ranges }))
    for (const range of ['10.1.0.0/16', '10.2.0.0/16']) expect(open).toContain(`"cidr":"${range}"`)
  })

  it('has longer to stop than its parts take one after the other', () => {
    const { terminationGracePeriodSeconds } = named(manifests, 'Deployment', 'one').spec.template.spec
    // 15 s and 120 s of the gateway, 10 s of each service.
    expect(terminationGracePeriodSeconds).toBeGreaterThan(165)
  })

  it('cannot be scaled', () => {
    const scaled = { ...(parse(SMALL) as object), location: { autoscaling: { enabled: true } } }
    expect(() => helm.render(scaled)).toThrow('location.autoscaling has to be off')
  })

  it('needs no more connections than its Postgres allows, which runs as `restricted` demands', () => {
    const { stdout } = helm.run(['install', 'bearing', '--dry-run=client'], SMALL)
    const [, needed] = /Connections to Postgres: up to (\d+) at the primary/.exec(stdout) ?? []
    const [set] = parseAllDocuments(read('small', 'postgres.yaml')).map((one) => one.toJS() as Manifest)
    const [, allowed] = /max_connections=(\d+)/.exec(JSON.stringify(set)) ?? []
    expect(Number(needed)).toBeGreaterThan(50)
    expect(Number(needed)).toBeLessThan(Number(allowed))
    expect(set?.spec.template.spec).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      containers: [
        {
          securityContext: {
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ['ALL'] },
          },
        },
      ],
    })
  })
})
