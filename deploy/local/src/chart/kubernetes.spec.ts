import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, readdirSync } from 'node:fs'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { freePort } from '@bearing/local/ports'
import { findRedisServer } from '@bearing/local/redis-binary'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { parse, parseAllDocuments } from 'yaml'
import { chartSettings, type ChartSettings } from './chart-settings.js'
import { findHelm } from './helm.js'
import { Helm, containerOf, named, ofKind, variablesOf, type Manifest } from './testing/render.js'
import { SERVICE_NAMES, type ServiceName } from '../settings-of-environment.js'

// No cluster runs these files in the tests. What can be checked without one is checked here, with the real Helm and NATS.

const CHECKOUT = join(import.meta.dirname, '..', '..', '..', '..')
const FOLDER = join(CHECKOUT, 'deploy', 'kubernetes')
const read = (name: string) => readFileSync(join(FOLDER, name), 'utf8')
const manifestsOf = (name: string) =>
  parseAllDocuments(read(name)).map((document) => document.toJS() as Manifest)
const valueFile = (name: string) =>
  readFileSync(join(CHECKOUT, 'deploy/helm/bearing/ci', `${name}.yaml`), 'utf8')

/** A pod, as far as its end matters. */
interface Pod {
  readonly terminationGracePeriodSeconds?: number
  readonly containers: readonly { readonly command?: readonly string[]; readonly args?: readonly string[] }[]
}

let helm: Helm
let settings: Record<ServiceName, ChartSettings>
beforeAll(async () => {
  helm = new Helm(await findHelm(join(CHECKOUT, '.bearing', 'helm')), join(CHECKOUT, 'deploy/helm/bearing'))
  settings = await chartSettings(CHECKOUT)
}, 60_000)

/** Returns the output of `deploy/new-env.mjs`. */
const environment = () =>
  spawnSync(process.execPath, [join(CHECKOUT, 'deploy', 'new-env.mjs')], { encoding: 'utf8' }).stdout

/** Names and keys of the Secrets that `deploy/kubernetes/secrets.mjs` writes, as `name/key`. */
function secretKeys(): string[] {
  const program = join(FOLDER, 'secrets.mjs')
  const { stdout } = spawnSync(process.execPath, [program], { encoding: 'utf8', input: environment() })
  const { items } = JSON.parse(stdout) as {
    items: (Manifest & { stringData: Readonly<Record<string, string>> })[]
  }
  return items.flatMap(({ metadata, stringData }) =>
    Object.keys(stringData).map((key) => `${metadata.name}/${key}`),
  )
}

/** Keys of Secrets that pods read, as `name/key`. */
function readKeys(manifests: readonly Manifest[]): string[] {
  const pods = manifests.filter(({ kind }) => ['Deployment', 'Job'].includes(kind))
  return pods
    .flatMap((pod) => containerOf(pod).env)
    .flatMap(({ valueFrom: from }) => (from?.secretKeyRef ? [from.secretKeyRef] : []))
    .map(({ name, key }) => `${name}/${key}`)
}

describe('the settings of services in the chart', () => {
  const sample = ({ schema, default: text }: ChartSettings['plain'][string]) => {
    if (schema['type'] === 'integer' || schema['type'] === 'number') return Number(text)
    if (text !== '') return text
    const rules = JSON.stringify(schema)
    return rules.includes('"email"')
      ? 'a@example.com'
      : rules.includes('"uri"')
        ? 'https://a.example'
        : '10.9.8.7'
  }

  it('can all be set, arrive as they were given, and are the only ones', async () => {
    const values = Object.fromEntries(
      SERVICE_NAMES.map((service) => {
        const { plain, secret, required } = settings[service]
        const given = Object.entries(plain).map(([name, setting]) => [name, sample(setting)])
        const optionalKeys = secret.filter((name) => !required.includes(name))
        return [service, { settings: Object.fromEntries(given) as object, secret: { optionalKeys } }]
      }),
    )
    const manifests = helm.render(values)
    for (const service of SERVICE_NAMES) {
      const file = pathToFileURL(join(CHECKOUT, 'apps', service, 'dist', 'config.js')).href
      const { CONFIG } = (await import(file)) as { CONFIG: object }
      const variables = variablesOf(named(manifests, 'Deployment', service))
      // The chart has replicas instead of several processes in one container.
      const settable = Object.keys(CONFIG).filter((name) => name !== 'GATEWAY_PROCESSES')
      expect([...variables.keys()].toSorted()).toEqual(settable.toSorted())
      for (const [name, setting] of Object.entries(settings[service].plain))
        expect([name, variables.get(name)]).toEqual([name, String(sample(setting))])
    }
  })

  it('can be set for all services together, and for one of them', () => {
    const manifests = helm.render({
      settings: { LOG_LEVEL: 'warn' },
      location: { settings: { LOG_LEVEL: 'debug' } },
    })
    const levels = SERVICE_NAMES.map((name) =>
      variablesOf(named(manifests, 'Deployment', name)).get('LOG_LEVEL'),
    )
    expect(levels).toEqual(['warn', 'warn', 'debug', 'warn'])
  })
})

describe('the migration', () => {
  const nameOf = (values: object) => ofKind(helm.render(values), 'Job')[0]?.metadata.name

  it('is a new Job if the image or its values change, and the same Job otherwise', () => {
    const name = nameOf({})
    expect(nameOf({ gateway: { replicas: 5 }, settings: { LOG_LEVEL: 'debug' } })).toBe(name)
    for (const values of [
      { image: { tag: '0.1.1' } },
      { migration: { secret: { name: 'other' } } },
      { identity: { secret: { references: { IDENTITY_DATABASE_URL: { name: 'other', key: 'url' } } } } },
    ])
      expect(nameOf(values)).not.toBe(name)
  })

  it('alone has the Secret of the owner of the tables', () => {
    const owners = helm
      .render()
      .filter((one) => ['Deployment', 'Job'].includes(one.kind))
      .filter((one) => JSON.stringify(one).includes('bearing-migration'))
    expect(owners.map(({ kind }) => kind)).toEqual(['Job'])
  })
})

describe('NetworkPolicies', () => {
  /** Returns the allowed connections: ports of peers, by process. */
  const edges = (values: object) =>
    Object.fromEntries(
      ofKind(helm.render(values), 'NetworkPolicy').map(({ metadata, spec }) => [
        metadata.name.replace('bearing-', ''),
        {
          in: (spec.ingress ?? []).map((rule) => JSON.stringify(rule)),
          out: (spec.egress ?? []).map(({ ports, to }) => {
            const port = (ports as { port?: number }[])[0]?.port
            return JSON.stringify(to).includes('ipBlock') ? 'internet' : (port ?? 0)
          }),
        },
      ]),
    )

  it('deny everything but the edges that the services need', () => {
    const port = '{"ports":[{"port":"http","protocol":"TCP"}]}'
    expect(edges({})).toEqual({
      'default-deny': { in: [], out: [] },
      gateway: { in: [port], out: [53, 4222, 6379] },
      identity: { in: [], out: [53, 4222, 5432, 6379, 'internet'] },
      management: { in: [], out: [53, 4222, 5432, 'internet'] },
      location: { in: [], out: [53, 4222, 5432, 6379, 'internet'] },
      migrate: { in: [], out: [53, 5432] },
      cli: { in: [], out: [53, 4222] },
    })
    for (const { spec } of ofKind(helm.render(), 'NetworkPolicy'))
      expect(spec.policyTypes).toEqual(['Ingress', 'Egress'])
  })

  it('let the gateway out only if it passes requests through to another service', () => {
    const PASS_THROUGH = '01910000-0000-7000-8000-000000000000=https://chunks.example.com'
    const passing = edges({ gateway: { settings: { PASS_THROUGH } } })
    expect(passing['gateway']?.out).toEqual([53, 4222, 6379, 'internet'])
    expect({ ...passing, gateway: undefined }).toEqual({ ...edges({}), gateway: undefined })
  })

  it('open private ranges to the service whose setting names them, and to no other', () => {
    const ranges = { management: { settings: { WEBHOOK_PRIVATE_RANGES: '10.1.0.0/16,fd00::1' } } }
    const open = ofKind(helm.render(ranges), 'NetworkPolicy').filter((one) =>
      JSON.stringify(one.spec.egress ?? []).includes('10.1.0.0/16'),
    )
    expect(open.map(({ metadata }) => metadata.name)).toEqual(['bearing-management'])
    expect(JSON.stringify(open)).toContain('"cidr":"fd00::1/128"')
  })
})

describe('connections to Postgres', () => {
  it.each(['{}', valueFile('minimal'), valueFile('production')])(
    'fit into max_connections of postgres.yaml',
    (values) => {
      const { stdout } = helm.run(['install', 'bearing', '--dry-run=client'], values)
      const [, needed] = /Connections to Postgres: up to (\d+) at the primary/.exec(stdout) ?? []
      const cluster = parse(read('postgres.yaml').split('\n---\n')[0] ?? '') as {
        spec: { postgresql: { parameters: { max_connections: string }; synchronous: object } }
      }
      const { parameters, synchronous } = cluster.spec.postgresql
      expect(synchronous).toEqual({ method: 'any', number: 1 })
      expect(Number(needed)).toBeGreaterThan(50)
      expect(Number(needed)).toBeLessThanOrEqual(Number(parameters.max_connections))
    },
  )
})

describe('what everything requests', () => {
  interface Requests {
    readonly cpu: string
    readonly memory: string
  }
  const GIB = 1024
  const inCpus = (text: string) => (text.endsWith('m') ? Number.parseInt(text) / 1_000 : Number(text))
  const inMib = (text: string) => Number.parseInt(text) * (text.endsWith('Gi') ? GIB : 1)
  const size = ({ cpu, memory }: Requests) => ({ cpus: inCpus(cpu), mib: inMib(memory) })
  type Size = ReturnType<typeof size>
  const sum = (sizes: readonly Size[]): Size =>
    sizes.reduce((a, b) => ({ cpus: a.cpus + b.cpus, mib: a.mib + b.mib }), { cpus: 0, mib: 0 })
  /** Requests of a container, somewhere in an object. */
  const requestsIn = (object: unknown): Requests =>
    JSON.parse(/"requests":(\{[^}]*\})/.exec(JSON.stringify(object))?.[1] ?? '{}') as Requests
  const three = (one: Size) => [one, one, one]

  const stores = () => {
    const of = (object: unknown) => size(requestsIn(object))
    const [postgres, valkey] = [of(manifestsOf('postgres.yaml')[0]), of(manifestsOf('valkey.yaml')[0])]
    const nats = of(parse(read('nats-values.yaml')))
    return { nats, postgres, valkey }
  }
  const services = () =>
    ofKind(helm.render(), 'Deployment').map((one) => ({
      size: size(requestsIn(one)),
      replicas: one.spec.replicas ?? 1,
    }))

  it('is what the page says', () => {
    const { nats, postgres, valkey } = stores()
    const bearing = services().flatMap(({ size, replicas }) => Array.from({ length: replicas }, () => size))
    const all = sum([...bearing, ...three(nats), ...three(postgres), valkey])
    const page = readFileSync(join(CHECKOUT, 'docs', 'kubernetes.md'), 'utf8')
    const text = (of: Size) => `${of.cpus.toFixed(1)} CPUs and ${(of.mib / GIB).toFixed(1)} GiB`
    expect(page).toContain(`requests ${text(all)}`)
    expect(page).toContain(`an upgrade ${text(sum(services().map((one) => one.size)))} more`)
  })

  it('fits into three nodes of 2 CPUs and 8 GiB, with one more process of each service during an upgrade', () => {
    const { nats, postgres, valkey } = stores()
    // The needs of a node's system are gone already; the stores have a server on each node.
    const nodes = three({ cpus: 1.6, mib: 6.5 * GIB }).map((node) => ({
      cpus: node.cpus - nats.cpus - postgres.cpus,
      mib: node.mib - nats.mib - postgres.mib,
    }))
    const pods = services().flatMap(({ size, replicas }) => Array.from({ length: replicas + 1 }, () => size))
    for (const pod of [...pods, valkey].toSorted((a, b) => b.cpus - a.cpus)) {
      const emptiest = nodes.toSorted((a, b) => b.cpus - a.cpus)[0] ?? { cpus: 0, mib: 0 }
      expect([emptiest.cpus >= pod.cpus, emptiest.mib >= pod.mib]).toEqual([true, true])
      emptiest.cpus -= pod.cpus
      emptiest.mib -= pod.mib
    }
  })

  it('leaves room for Postgres and NATS: their priority is in the examples', () => {
    const [priority] = manifestsOf('namespace.yaml').filter(({ kind }) => kind === 'PriorityClass')
    const name = priority?.metadata.name
    expect(name).toBeDefined()
    expect(manifestsOf('postgres.yaml')[0]?.spec).toMatchObject({ priorityClassName: name })
    const { podTemplate } = parse(read('nats-values.yaml')) as { podTemplate: { merge: { spec: object } } }
    expect(podTemplate.merge.spec).toMatchObject({ priorityClassName: name })
  })
})

describe('Secrets', () => {
  it('that the chart and the other files read are made by secrets.mjs, and come from External Secrets', () => {
    const made = secretKeys()
    const inNats = [...read('nats-values.yaml').matchAll(/\{ name: (bearing-nats), key: (\w+) \}/g)]
    const others = ['valkey.yaml', 'cli.yaml'].flatMap((file) => [
      ...read(file).matchAll(/secretKeyRef: \{ name: ([\w-]+), key: (\w+) \}/g),
    ])
    const needed = [
      ...readKeys(helm.render()),
      ...[...inNats, ...others].map(([, name = '', key = '']) => `${name}/${key}`),
      'bearing-postgres-owner/username',
      'bearing-postgres-owner/password',
    ]
    expect(made).toEqual(expect.arrayContaining(needed))
    const unused = made.filter((key) => !needed.includes(key))
    expect(unused).toEqual(['bearing-location/LOCATION_READ_URL'])
    const external = manifestsOf('external-secrets.yaml').map(({ metadata }) => metadata.name)
    expect(external.toSorted()).toEqual([...new Set(made.map((key) => key.split('/')[0]))].toSorted())
  })
})

describe('deploy/kubernetes', () => {
  it('consists of YAML files of objects that name their namespace', () => {
    const files = readdirSync(FOLDER).filter((name) => name.endsWith('.yaml') && name !== 'nats-values.yaml')
    const wholeCluster = ['Namespace', 'PriorityClass']
    for (const { kind, metadata } of files.flatMap(manifestsOf))
      expect([kind, wholeCluster.includes(kind) || metadata.namespace !== undefined]).toEqual([kind, true])
  })

  it('has values for Argo CD and Flux that the chart accepts', () => {
    const [application] = manifestsOf('argocd.yaml') as unknown as [
      { spec: { source: { helm: { valuesObject: object } } } },
    ]
    const release = manifestsOf('flux.yaml').at(-1) as unknown as { spec: { values: object } }
    for (const values of [application.spec.source.helm.valuesObject, release.spec.values])
      expect(ofKind(helm.render(values), 'Deployment')).toHaveLength(4)
  })

  it.each(['valkey.yaml', 'cli.yaml'])('runs the pod of %s as `restricted` demands', (file) => {
    const [found] = manifestsOf(file)
    const pod = found?.kind === 'Pod' ? found.spec : found?.spec.template.spec
    expect(pod).toMatchObject({
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

  it('has no pod in which SIGTERM is lost', () => {
    const pods = readdirSync(FOLDER)
      .filter((name) => name.endsWith('.yaml') && name !== 'nats-values.yaml')
      .flatMap(manifestsOf)
      .flatMap(({ kind, spec }) =>
        kind === 'Pod'
          ? [spec as unknown as Pod]
          : kind === 'Deployment'
            ? [spec.template.spec as unknown as Pod]
            : [],
      )
    expect(pods).toHaveLength(2)
    // As the first process of a container neither a shell nor `sleep` ends on SIGTERM.
    for (const { containers, terminationGracePeriodSeconds: graceS = 30 } of pods)
      for (const { command = [], args = [] } of containers)
        if (command[0] === 'sh') expect(args.join(' ')).toMatch(/; exec [^;|]+$/)
        else expect([command, graceS]).toEqual([['sleep', 'infinity'], 1])
  })

  it('starts Valkey with a password that no argument contains, and SIGTERM reaches it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'bearing-valkey-'))
    try {
      const { command, env } = await findRedisServer(join(CHECKOUT, '.bearing', 'redis-server'))
      await symlink(command, join(folder, 'valkey-server'))
      const [deployment] = manifestsOf('valkey.yaml')
      const { args = [] } = (deployment?.spec.template.spec as unknown as Pod).containers[0] ?? {}
      const options = `--bind 127.0.0.1 --port ${String(await freePort())}`
      const script = `${args.join(' ').replaceAll('/run/valkey', folder)} ${options}`
      const path = `${folder}:${process.env['PATH'] ?? ''}`
      const server = spawn('sh', ['-c', script], { env: { ...env, PATH: path, VALKEY_PASSWORD: 'a-secret' } })
      let output = ''
      for await (const text of server.stdout.setEncoding('utf8') as AsyncIterable<string>) {
        output += text
        if (!output.includes('Ready to accept connections') || server.killed) continue
        expect(readFileSync(`/proc/${String(server.pid)}/cmdline`, 'utf8')).not.toContain('a-secret')
        server.kill('SIGTERM')
      }
      expect([server.exitCode ?? (await once(server, 'exit'))[0], output]).toEqual([
        0,
        expect.stringContaining('Received SIGTERM'),
      ])
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})
