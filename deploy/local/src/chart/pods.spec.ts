import { join } from 'node:path'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { findHelm } from './helm.js'
import { Helm, named, ofKind, workloads } from './testing/render.js'
import { SERVICE_NAMES } from '../settings-of-environment.js'

const CHECKOUT = join(import.meta.dirname, '..', '..', '..', '..')

let helm: Helm
beforeAll(async () => {
  helm = new Helm(await findHelm(join(CHECKOUT, '.bearing', 'helm')), join(CHECKOUT, 'deploy/helm/bearing'))
}, 60_000)

type Tree = Readonly<Record<string, unknown>>

describe('all five processes', () => {
  const everyPod = (values: object) => workloads(helm.render(values)).map(({ spec }) => spec.template.spec)
  const PROCESSES = [...SERVICE_NAMES, 'migration']

  it('run with ids that the platform assigns where they have none of their own', () => {
    const ids = { runAsUser: null, runAsGroup: null, fsGroup: null }
    const pods = everyPod({ podSecurityContext: ids })
    expect(pods).toHaveLength(5)
    for (const pod of pods)
      expect(pod).toMatchObject({
        securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      })
    expect(JSON.stringify(pods)).not.toMatch(/runAsUser|runAsGroup|fsGroup/)
  })

  it('can have files, variables, sidecars and init containers, and further edges of their NetworkPolicies', () => {
    const more = {
      extraEnv: { NODE_EXTRA_CA_CERTS: '/etc/ca/ca.crt' },
      volumes: [{ name: 'ca', configMap: { name: 'ca' } }],
      volumeMounts: [{ name: 'ca', mountPath: '/etc/ca', readOnly: true }],
      initContainers: [{ name: 'wait', image: 'registry.example.com/wait:1' }],
      sidecars: [{ name: 'proxy', image: 'registry.example.com/proxy:1' }],
      extraEgress: [{ ports: [{ port: 6432, protocol: 'TCP' }] }],
    }
    const values = {
      ...Object.fromEntries(PROCESSES.map((name) => [name, more])),
      ...{
        hostAliases: [{ ip: '10.0.0.9', hostnames: ['db'] }],
        dnsConfig: { options: [{ name: 'ndots' }] },
      },
    }
    const { initContainers, volumes } = more
    for (const pod of everyPod(values)) {
      expect(pod).toMatchObject({ initContainers, volumes, hostAliases: values.hostAliases, dnsConfig: {} })
      const [own, proxy] = pod.containers
      expect(own).toMatchObject({ volumeMounts: more.volumeMounts })
      expect(own?.env).toContainEqual({ name: 'NODE_EXTRA_CA_CERTS', value: '/etc/ca/ca.crt' })
      expect(proxy).toEqual(more.sidecars[0])
    }
    const open = ofKind(helm.render(values), 'NetworkPolicy').filter((one) =>
      JSON.stringify(one.spec.egress ?? []).includes('6432'),
    )
    expect(open).toHaveLength(5)
  })
})

describe('the pod of helm test', () => {
  const doctor = (values: object = {}) => {
    const pod = named(helm.render(values), 'Pod', 'doctor') as unknown as {
      readonly metadata: { readonly labels: Tree }
      readonly spec: { readonly containers: readonly (Tree & { readonly env: readonly Tree[] })[] }
    }
    return { ...pod, own: pod.spec.containers[0] }
  }

  it('runs the doctor as the operator, restricted like all pods, with the labels that may reach NATS', () => {
    const { metadata, spec, own } = doctor()
    expect(metadata.labels).toMatchObject({ 'app.kubernetes.io/component': 'cli' })
    expect(spec).toMatchObject({ securityContext: { runAsNonRoot: true }, restartPolicy: 'Never' })
    expect(own).toMatchObject({
      image: expect.stringMatching(/bearing-cli:/),
      command: ['node', 'dist/main.js', 'admin', 'doctor'],
      securityContext: { readOnlyRootFilesystem: true },
      env: [
        { name: 'BEARING_NATS_NKEY_SEED', valueFrom: { secretKeyRef: { name: 'bearing-operator' } } },
        { name: 'BEARING_NATS_URL', value: 'nats://bearing-nats:4222' },
      ],
    })
  })

  it('can have what the pods of services can, and its NATS from the Secret', () => {
    const values = { cli: { extraEnv: { NODE_EXTRA_CA_CERTS: '/ca' } }, nats: { url: '' } }
    expect(doctor(values).own?.env.map(({ name, value }) => [name, value])).toEqual([
      ['BEARING_NATS_NKEY_SEED', undefined],
      ['BEARING_NATS_URL', undefined],
      ['NODE_EXTRA_CA_CERTS', '/ca'],
    ])
  })
})

describe('where pods run', () => {
  interface Placed {
    readonly topologySpreadConstraints: readonly Tree[]
    readonly tolerations: readonly Tree[]
  }
  const placed = (name: string, values: object = {}) =>
    named(helm.render(values), 'Deployment', name).spec.template.spec as unknown as Placed

  it('is spread over hosts and zones by revision, and no two gateways are on a host if there are others', () => {
    for (const name of SERVICE_NAMES) {
      const constraints = placed(name).topologySpreadConstraints
      expect(constraints.map(({ topologyKey }) => topologyKey)).toEqual([
        'topology.kubernetes.io/zone',
        'kubernetes.io/hostname',
      ])
      for (const constraint of constraints)
        expect(constraint).toMatchObject({
          matchLabelKeys: ['pod-template-hash'],
          labelSelector: { matchLabels: { 'app.kubernetes.io/component': name } },
        })
      const { whenUnsatisfiable, nodeTaintsPolicy } = constraints[1] ?? {}
      // Otherwise a node of the control plane, where no gateway may run, would count as an empty one.
      const expected = name === 'gateway' ? ['DoNotSchedule', 'Honor'] : ['ScheduleAnyway', undefined]
      expect([name, [whenUnsatisfiable, nodeTaintsPolicy]]).toEqual([name, expected])
    }
  })

  it('can be set, and none of it has to be', () => {
    const rack = { maxSkew: 2, topologyKey: 'rack', whenUnsatisfiable: 'DoNotSchedule' }
    const own = placed('gateway', { gateway: { topologySpreadConstraints: [rack] } })
    expect(own.topologySpreadConstraints).toMatchObject([rack])
    expect(placed('gateway', { gateway: { topologySpreadConstraints: [] } })).not.toHaveProperty(
      'topologySpreadConstraints',
    )
  })

  it('changes 30 s after a node is lost', () => {
    for (const name of SERVICE_NAMES)
      expect(placed(name).tolerations.map(({ key, tolerationSeconds }) => [key, tolerationSeconds])).toEqual([
        ['node.kubernetes.io/not-ready', 30],
        ['node.kubernetes.io/unreachable', 30],
      ])
  })
})

describe('autoscalers', () => {
  it('follow the processor time of one process, not what it requests', () => {
    const scaled = { autoscaling: { enabled: true } }
    const found = ofKind(helm.render({ gateway: scaled, location: scaled }), 'HorizontalPodAutoscaler')
    expect(found).toHaveLength(2)
    for (const { spec } of found)
      expect(spec).toMatchObject({
        metrics: [{ resource: { name: 'cpu', target: { type: 'AverageValue', averageValue: '700m' } } }],
      })
  })
})

describe('objects around the gateway', () => {
  it('have the fields of load balancers and routes, and names of your own', () => {
    const service = {
      ...{ type: 'LoadBalancer', loadBalancerClass: 'example.com/lb', externalTrafficPolicy: 'Local' },
      ...{ loadBalancerSourceRanges: ['192.0.2.0/24'], nodePort: 30080 },
    }
    const httpRoute = { enabled: true, parentRefs: [{ name: 'public' }], timeouts: { request: '300s' } }
    const manifests = helm.render({ service, httpRoute })
    const { nodePort, ...fields } = service
    expect(named(manifests, 'Service', 'gateway').spec).toMatchObject({ ...fields, ports: [{ nodePort }] })
    expect(named(manifests, 'HTTPRoute', 'gateway').spec).toMatchObject({
      rules: [{ timeouts: { request: '300s' } }],
    })
    const plain = named(helm.render(), 'Service', 'gateway').spec as unknown as Tree
    expect(Object.keys(plain).toSorted()).toEqual(['ports', 'selector', 'type'])
    const renamed = helm.render({ fullnameOverride: 'fleet' }).map(({ metadata }) => metadata.name)
    expect(renamed.filter((name) => !name.startsWith('fleet-'))).toEqual([])
    const shortened = helm.render({ nameOverride: 'door' }, 'eu').map(({ metadata }) => metadata.name)
    expect(shortened.filter((name) => !name.startsWith('eu-door-'))).toEqual([])
  })

  it('can be accompanied by objects of your own', () => {
    const extraObjects = [
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: '{{ .Release.Name }}-ca' }, data: { a: 'b' } },
    ]
    expect(named(helm.render({ extraObjects }), 'ConfigMap', 'ca')).toMatchObject({ data: { a: 'b' } })
  })
})
