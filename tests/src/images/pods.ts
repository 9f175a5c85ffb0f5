import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Container, Variable } from '@bearing/start/chart/testing/render'
import type { ContainerTools } from '@bearing/start/images/container-tools'
import { eventually } from '@bearing/testing/eventually'
import type { Hosts } from '@bearing/testing/hosts/hosts'
import { expect } from '@jest/globals'

/** Time limit for a container to end, and pause between the looks. */
const ENDED = { withinMs: 120_000, everyMs: 500 }

/** A pod, as the API server is given it: alone, or as the template of a Deployment or Job. */
export interface PodSpec {
  readonly containers: readonly Container[]
}

/** The confinement of the process of a container, as Linux reports it. */
export interface Confinement {
  readonly uid: string
  readonly capabilities: string
  readonly mayGainPrivileges: boolean
  readonly isRootReadOnly: boolean
}

/** Values of Secrets: by name of the Secret, then by key. */
export type Secrets = Readonly<Record<string, Readonly<Record<string, string>>>>

/** Pods of one namespace, each on a host of its own. Podman reads their specs. */
export class Pods implements AsyncDisposable {
  private readonly started: string[] = []

  private constructor(
    private readonly tools: ContainerTools,
    private readonly hosts: Hosts,
    private readonly secrets: Secrets,
    private readonly folder: string,
  ) {}

  static async open(tools: ContainerTools, hosts: Hosts, secrets: Secrets): Promise<Pods> {
    return new Pods(tools, hosts, secrets, await mkdtemp(join(tmpdir(), 'bearing-pods-')))
  }

  /**
   * Starts a pod on the host of the same name.
   *
   * @throws Error if it refers to a key that no Secret has
   */
  async start(name: string, spec: PodSpec): Promise<void> {
    const containers = spec.containers.map(({ ports: _, ...container }) => ({
      ...container,
      // As the kubelet does. Ports only inform in Kubernetes, and podman refuses them on the network of a host.
      env: container.env.map((variable) => this.withValue(variable)),
    }))
    const file = join(this.folder, `${name}.json`)
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec: { ...spec, containers } }
    // JSON is YAML. Secrets are in it.
    await writeFile(file, JSON.stringify(pod), { mode: 0o600 })
    this.started.push(name)
    await this.podman(name, 'play', 'kube', '--network', 'host', file)
  }

  /** URL of a port of a pod, as other pods reach it. */
  urlOf(name: string, port: number): string {
    return `http://${this.hosts.addressOf(name)}:${String(port)}`
  }

  /** Asks a probe of a container, as the kubelet does. @returns the status, 0 if nobody listens */
  async probe(name: string, spec: PodSpec, probe: 'livenessProbe' | 'readinessProbe'): Promise<number> {
    const [container] = spec.containers
    const { path, port } = container?.[probe].httpGet as { path: string; port: string }
    const ports = container?.ports as readonly { name: string; containerPort: number }[]
    const number = ports.find((candidate) => candidate.name === port)?.containerPort ?? 0
    const response = await fetch(this.urlOf(name, number) + path).catch(() => undefined)
    return response?.status ?? 0
  }

  /** Waits until the container of a pod has ended. @returns its exit code and what it printed */
  async ended(name: string, container: string): Promise<{ code: number; printed: string }> {
    const state = ['inspect', '--format', '{{.State.Status}} {{.State.ExitCode}}', `${name}-${container}`]
    // `podman wait` of 4.3 takes 20 s for a container that has ended, and may leave it "stopped".
    const code = await eventually(async () => {
      const found = (await this.podman(name, ...state)).trim()
      expect(found).toMatch(/^(exited|stopped) \d+$/)
      return Number(found.split(' ')[1])
    }, ENDED)
    return { code, printed: await this.logOf(name, container) }
  }

  async logOf(name: string, container: string): Promise<string> {
    return await this.podman(name, 'logs', `${name}-${container}`)
  }

  /** Runs a command in a container, like `kubectl exec`. @returns its output */
  async exec(name: string, container: string, ...command: readonly string[]): Promise<string> {
    return await this.podman(name, 'exec', `${name}-${container}`, ...command)
  }

  /** Returns the confinement of the process of a container. */
  async confinementOf(name: string, container: string): Promise<Confinement> {
    const pid = await this.podman(name, 'inspect', '--format', '{{.State.Pid}}', `${name}-${container}`)
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const field = (key: string) => new RegExp(`^${key}:\\s*(\\S+)`, 'm').exec(status)?.[1] ?? ''
    const root = execFileSync('findmnt', ['--task', pid, '--noheadings', '--output', 'VFS-OPTIONS', '/'], {
      encoding: 'utf8',
    })
    return {
      uid: field('Uid'),
      capabilities: field('CapEff') + field('CapPrm') + field('CapBnd'),
      mayGainPrivileges: field('NoNewPrivs') !== '1',
      isRootReadOnly: root.trim().split(',').includes('ro'),
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const name of this.started)
      await this.podman(name, 'pod', 'rm', '--force', '--time', '5', name).catch(() => undefined)
    await rm(this.folder, { recursive: true })
  }

  private withValue({ name, value, valueFrom }: Variable): Variable {
    const reference = valueFrom?.secretKeyRef
    if (!reference) return { name, ...(value !== undefined && { value }) }
    const found = this.secrets[reference.name]?.[reference.key]
    if (found === undefined) throw new Error(`The Secret ${reference.name} has no key ${reference.key}.`)
    return { name, value: found }
  }

  private async podman(host: string, ...args: readonly string[]): Promise<string> {
    return await this.tools.podman(this.hosts.networkOf(host), ...args)
  }
}
