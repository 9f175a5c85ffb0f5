import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The Kubernetes API of a test, as far as `lookup` of Helm reads it: Deployments of the namespace `bearing`. */
export interface FakeCluster extends AsyncDisposable {
  /** Path of a file for `--kubeconfig`. */
  readonly kubeconfig: string
}

/** @param replicas of each Deployment that exists, by name */
export async function fakeCluster(replicas: Readonly<Record<string, number>>): Promise<FakeCluster> {
  const server = createServer(({ url = '' }, response) => {
    const body = answer(url.replace(/\?.*/, ''), replicas)
    response.writeHead(body ? 200 : 404, { 'content-type': 'application/json' })
    response.end(
      JSON.stringify(
        body ?? { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'NotFound', code: 404 },
      ),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // of a TCP server
  const directory = await mkdtemp(join(tmpdir(), 'bearing-cluster-'))
  const kubeconfig = join(directory, 'kubeconfig.json')
  await writeFile(kubeconfig, JSON.stringify(configFor(`http://127.0.0.1:${String(port)}`)))
  return {
    kubeconfig,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await rm(directory, { recursive: true })
    },
  }
}

/** Kinds that the chart renders, by version: Helm refuses others. */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  v1: ['Service', 'ServiceAccount'],
  'apps/v1': ['Deployment'],
  'batch/v1': ['Job'],
  'keda.sh/v1alpha1': ['ScaledObject'],
  'autoscaling/v2': ['HorizontalPodAutoscaler'],
  'networking.k8s.io/v1': ['NetworkPolicy'],
  'policy/v1': ['PodDisruptionBudget'],
}
const DEPLOYMENTS = '/apis/apps/v1/namespaces/bearing/deployments/'

function answer(path: string, replicas: Readonly<Record<string, number>>): object | undefined {
  if (path === '/version') return { major: '1', minor: '36', gitVersion: 'v1.36.2' }
  if (path === '/api') return { kind: 'APIVersions', versions: ['v1'] }
  if (path === '/apis') return { kind: 'APIGroupList', apiVersion: 'v1', groups: groups() }
  const groupVersion = path.replace(/^\/apis?\//, '')
  const kinds = KINDS[groupVersion]
  if (kinds) return { kind: 'APIResourceList', groupVersion, resources: kinds.map(resource) }
  const name = path.startsWith(DEPLOYMENTS) ? path.slice(DEPLOYMENTS.length) : ''
  const count = replicas[name]
  if (count === undefined) return undefined
  const metadata = { name, namespace: 'bearing' }
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec: { replicas: count } }
}

function groups(): object[] {
  return Object.keys(KINDS)
    .filter((groupVersion) => groupVersion.includes('/'))
    .map((groupVersion) => {
      const [name = '', version = ''] = groupVersion.split('/')
      return { name, versions: [{ groupVersion, version }], preferredVersion: { groupVersion, version } }
    })
}

function resource(kind: string): object {
  const lower = kind.toLowerCase()
  const name = lower.endsWith('y') ? `${lower.slice(0, -1)}ies` : `${lower}s`
  return { name, namespaced: true, kind, verbs: ['get'] }
}

function configFor(server: string): object {
  return {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'test', cluster: { server } }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
    users: [{ name: 'test', user: {} }],
    'current-context': 'test',
  }
}
