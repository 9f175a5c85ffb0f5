import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'
import { parse, parseAllDocuments } from 'yaml'

type Labels = Readonly<Record<string, string>>

/** A variable of a container. */
export interface Variable {
  readonly name: string
  readonly value?: string
  readonly valueFrom?: { readonly secretKeyRef?: { readonly name: string; readonly key: string } }
}

/** A container, as far as specs look at it. */
export interface Container {
  readonly name: string
  readonly image: string
  readonly env: readonly Variable[]
  readonly ports: unknown
  readonly securityContext: unknown
  readonly livenessProbe: { readonly httpGet: unknown }
  readonly readinessProbe: { readonly httpGet: unknown }
  readonly startupProbe?: unknown
}

/** Fields that the specs read of all kinds: each kind has some of them. */
interface Spec {
  readonly replicas?: number
  readonly selector: unknown
  readonly strategy: { readonly rollingUpdate: { readonly maxUnavailable: number } }
  readonly template: {
    readonly metadata: { readonly labels: Labels }
    readonly spec: {
      readonly containers: readonly Container[]
      readonly terminationGracePeriodSeconds: number
    }
  }
  readonly scaleTargetRef: { readonly name: string }
  readonly podSelector: unknown
  readonly policyTypes: readonly string[]
  readonly ingress?: readonly unknown[]
  readonly egress?: readonly { readonly ports: unknown; readonly to: readonly unknown[] }[]
}

/** A Kubernetes object. */
export interface Manifest {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: {
    readonly name: string
    readonly namespace?: string
    readonly labels?: Labels
    readonly annotations?: Labels
  }
  readonly spec: Spec
}

/** Result of a run of Helm. */
export interface HelmResult {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Helm on one chart. */
export class Helm {
  constructor(
    private readonly program: string,
    private readonly chart: string,
  ) {}

  /** Runs a command on the chart, with values from standard input. Reaches no cluster. */
  run(command: readonly string[], values: object | string = {}): HelmResult {
    const given = (typeof values === 'string' ? parse(values) : values) as { readonly image?: object } | null
    const input = JSON.stringify({ ...given, image: { registry: 'registry.example.com', ...given?.image } })
    const args = [...command, this.chart, '--namespace', 'bearing', '--values', '-']
    const { status, stdout, stderr } = spawnSync(this.program, args, {
      input,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    })
    return { status, stdout, stderr }
  }

  /**
   * Renders the chart.
   *
   * @throws what Helm said, where it refuses the values
   */
  render(values: object | string = {}, release = 'bearing'): Manifest[] {
    const { status, stdout, stderr } = this.run(['template', release], values)
    if (status !== 0) throw new Error(stderr)
    return manifestsOf(stdout)
  }

  /** Renders the chart as an upgrade does: templates may look up objects of the cluster. Changes nothing. */
  async renderWith(kubeconfig: string, values: object): Promise<Manifest[]> {
    const args = [
      'template',
      'bearing',
      this.chart,
      '--namespace',
      'bearing',
      '--dry-run=server',
      '--is-upgrade',
      '--disable-openapi-validation',
    ]
    const child = promisify(execFile)(this.program, [...args, '--kubeconfig', kubeconfig, '--values', '-'])
    child.child.stdin?.end(JSON.stringify({ image: { registry: 'registry.example.com' }, ...values }))
    return manifestsOf((await child).stdout)
  }
}

function manifestsOf(documents: string): Manifest[] {
  return parseAllDocuments(documents)
    .map((document) => document.toJS() as Manifest | null)
    .filter((manifest) => manifest !== null)
}

/** The only object of a kind with the name `bearing-<name>`. */
export function named(manifests: readonly Manifest[], kind: string, name: string): Manifest {
  const found = ofKind(manifests, kind).find(({ metadata }) => metadata.name === `bearing-${name}`)
  if (!found) throw new Error(`there is no ${kind} of ${name}`)
  return found
}

/** The Deployments and Jobs. */
export function workloads(manifests: readonly Manifest[]): Manifest[] {
  return manifests.filter(({ kind }) => ['Deployment', 'Job'].includes(kind))
}

export function ofKind(manifests: readonly Manifest[], kind: string): Manifest[] {
  return manifests.filter((one) => one.kind === kind)
}

/** The container of a Deployment or Job, which has one. */
export function containerOf({ metadata, spec }: Manifest): Container {
  const [container] = spec.template.spec.containers
  if (!container) throw new Error(`${metadata.name} has no container`)
  return container
}

/** The variables of a Deployment or Job: name and value, which is undefined where it comes from a Secret. */
export function variablesOf(workload: Manifest): Map<string, string | undefined> {
  return new Map(containerOf(workload).env.map(({ name, value }) => [name, value]))
}
