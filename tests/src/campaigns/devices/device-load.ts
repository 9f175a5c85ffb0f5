import { setTimeout as sleep } from 'node:timers/promises'
import { percentile } from './percentile.js'
import { scanOf, type FleetProject } from './fleet.js'

const DAY_S = 86_400
const LOOK_UPS_PER_DAY = 10
const CHUNKS_PER_HOUR = 4
const CHUNK_BYTES = 500
/** A gateway accepts a revoked credential at most so long (docs/decisions/0007). */
export const REVOKED_WITHIN_MS = 30_000
/** A device that does not have the new key of its project continues with the old one for so long. */
const OLD_KEY_MS = 45_000
const OLD_KEY_EVERY_MS = 1_000
const REVOKED_EVERY_MS = 5_000

/** Requests a second that devices send. */
export function ratesOf(devices: number): { readonly chunks: number; readonly lookUps: number } {
  return { chunks: (devices * CHUNKS_PER_HOUR) / 3_600, lookUps: (devices * LOOK_UPS_PER_DAY) / DAY_S }
}

/** Options of the load. */
export interface LoadOptions {
  readonly gateways: readonly string[]
  readonly projects: readonly FleetProject[]
  readonly devices: number
  /** 1 sends as the devices do; 100 so many times slower. */
  readonly slower: number
  /** From 0 up to 1. */
  readonly random: () => number
}

/** Sends what devices send, and counts the answers. */
export class DeviceLoad {
  /** Numbers of the chunks that were acknowledged. */
  readonly acknowledged = new Set<number>()
  /** By `chunk 202`, `look-up 200` and so on. */
  readonly answers = new Map<string, number>()
  readonly timesMs = { chunk: [] as number[], 'look-up': [] as number[] }
  revoked = 0
  /** Requests with a revoked key. */
  withRevoked = 0
  /** Longest time after the reply to the revocation at which a revoked key was accepted, in milliseconds. */
  acceptedMs = 0
  private sent = 0
  private underWay = new Set<Promise<unknown>>()

  constructor(private readonly options: LoadOptions) {}

  async run(milliseconds: number): Promise<void> {
    const { devices, slower } = this.options
    const rates = ratesOf(devices)
    const deadline = performance.now() + milliseconds
    await Promise.all([
      this.repeat(deadline, slower / rates.chunks, () => this.sendChunk(this.someProject())),
      this.repeat(deadline, slower / rates.lookUps, () => this.lookUp()),
      this.repeat(deadline, REVOKED_EVERY_MS / 1_000, () => this.revoke()),
    ])
    await Promise.all(this.underWay)
  }

  summary(): string[] {
    const times = (what: 'chunk' | 'look-up') =>
      `${what}: p50 ${percentile(this.timesMs[what], 0.5).toFixed(0)} ms, p99 ${percentile(this.timesMs[what], 0.99).toFixed(0)} ms`
    const answers = [...this.answers].sort().map(([what, count]) => `${what}: ${String(count)}`)
    return [
      answers.join(', '),
      times('chunk'),
      times('look-up'),
      `${String(this.revoked)} project keys revoked; ${String(this.withRevoked)} requests with a revoked key, the last one accepted ${this.acceptedMs.toFixed(0)} ms after the revocation was answered`,
    ]
  }

  /** Starts work at random times, so many seconds apart on average, whether the former has ended or not. */
  private async repeat(deadline: number, everyS: number, work: () => Promise<unknown>): Promise<void> {
    let next = performance.now()
    for (;;) {
      next += -Math.log(1 - this.options.random()) * everyS * 1_000
      if (next >= deadline) return
      const wait = next - performance.now()
      if (wait > 0) await sleep(wait)
      const one = work().finally(() => this.underWay.delete(one))
      this.underWay.add(one)
    }
  }

  private async sendChunk(project: FleetProject, key = project.key): Promise<boolean> {
    const number = ++this.sent
    const { projects, devices } = this.options
    const device = projects.indexOf(project) + projects.length * this.someNumber(devices / projects.length)
    const body = String(number).padEnd(CHUNK_BYTES)
    const path = `/api/v0/chunks/D-${String(device)}`
    const headers = { 'service-project-key': key, 'content-type': 'application/octet-stream' }
    const isAccepted = (await this.post('chunk', path, headers, body)) === 202
    if (isAccepted) this.acknowledged.add(number)
    return isAccepted
  }

  private async lookUp(): Promise<void> {
    const project = this.someProject()
    const path = `/v1/organizations/${project.organization.slug}/projects/${project.slug}/location/wifi`
    const headers = { 'service-project-key': project.key, 'content-type': 'application/json' }
    await this.post('look-up', path, headers, scanOf(this.someNumber(this.options.devices)))
  }

  /** Replaces the key of a project. One device does not have the new one and continues with the old one. */
  private async revoke(): Promise<void> {
    const project = this.someProject()
    const old = project.key
    const address = { organization: project.organization.slug, project: project.slug }
    const cycled = await project.organization.admin.client
      .call('cycleProjectKey', { ...address, grace_seconds: 0 })
      .catch(() => undefined)
    if (!cycled) {
      this.count('revocation failed')
      return
    }
    const { api_key } = cycled
    const revokedMs = performance.now()
    project.key = api_key
    this.revoked++
    while (performance.now() < revokedMs + OLD_KEY_MS) {
      const beganMs = performance.now()
      this.withRevoked++
      if (await this.sendChunk(project, old)) this.acceptedMs = Math.max(this.acceptedMs, beganMs - revokedMs)
      await sleep(OLD_KEY_EVERY_MS)
    }
  }

  private async post(
    what: 'chunk' | 'look-up',
    path: string,
    headers: Readonly<Record<string, string>>,
    body: string,
  ): Promise<number> {
    const gateway = this.options.gateways[this.someNumber(this.options.gateways.length)] ?? ''
    const began = performance.now()
    const status = await fetch(gateway + path, { method: 'POST', headers, body }).then(
      async (response) => {
        await response.arrayBuffer()
        return response.status
      },
      () => 0,
    )
    this.timesMs[what].push(performance.now() - began)
    this.count(`${what} ${String(status)}`)
    return status
  }

  private count(answer: string): void {
    this.answers.set(answer, (this.answers.get(answer) ?? 0) + 1)
  }

  private someProject(): FleetProject {
    const project = this.options.projects[this.someNumber(this.options.projects.length)]
    if (!project) throw new Error('there is no project')
    return project
  }

  private someNumber(below: number): number {
    return Math.floor(this.options.random() * below)
  }
}
