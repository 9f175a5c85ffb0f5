import { setTimeout as sleep } from 'node:timers/promises'
import type { HostStack } from '@bearing/testing/hosts/host-stack'
import type { TestOrganization } from '@bearing/testing/factories'
import { headersOf } from '../tools/http.js'
import { LoadBalancer } from './load-balancer.js'
import type { Device, Principals } from './principals.js'

/** Milliseconds between two of a kind. */
const EVERY_MS = { read: 30, chunk: 60, change: 600, observation: 600, upload: 1_200 } as const
/** Bound of the requests of a kind under way: those of so many milliseconds. Without a bound a busy machine would never recover. */
const UNDER_WAY_MS = 3_000
/** The kinds of requests that clients send. */
export type Kind = keyof typeof EVERY_MS
const KINDS = Object.keys(EVERY_MS) as readonly Kind[] // of a literal
/** A client waits so long for an answer, in milliseconds. */
const TIMEOUT_MS = 15_000
/** After so long it sends an unacknowledged request again, in milliseconds; so often, and a read once. */
const [AGAIN_MS, ATTEMPTS, READ_ATTEMPTS] = [1_000, 60, 2]

/** One request, and what became of it. */
export interface Sent {
  readonly kind: Kind
  /** Id of its object: the same in all attempts. */
  readonly id: string
  /** From 1. */
  readonly attempt: number
  readonly gateway: string
  readonly startedMs: number
  readonly endedMs: number
  /** 0 where there was no answer. */
  readonly status: number
}

/** The clients of an organization. */
export interface Clients {
  readonly stack: HostStack
  readonly own: TestOrganization
  readonly principals: Principals
  /** Factor by which they send slower than usual. */
  readonly slower: number
}

/**
 * Clients of one organization that read and write without a pause, whatever became of the former requests. A write that was not
 * acknowledged is sent again, under the same id, as devices do.
 */
export class Traffic {
  readonly sent: Sent[] = []
  private readonly balancer: LoadBalancer
  private readonly loops: Promise<void>[]
  private isOver = false
  private number = 0

  constructor(
    private readonly clients: Clients,
    private readonly name: string,
  ) {
    this.balancer = new LoadBalancer(clients.stack)
    this.loops = KINDS.map((kind) => this.loop(kind))
  }

  /** Ids of the acknowledged requests of one kind. */
  acknowledged(kind: Kind): string[] {
    return this.sent.filter((sent) => sent.kind === kind && isDone(sent)).map(({ id }) => id)
  }

  /** Returns true if an id is of this traffic. */
  isOurs(id: string): boolean {
    return id.startsWith(`${this.name}-`)
  }

  /** Returns the number of times that a change was sent. */
  attempts(id: string): number {
    return this.sent.reduce((count, sent) => count + Number(sent.id === id), 0)
  }

  /** Stops sending, and waits for requests under way: also for those that are sent again until they are acknowledged. */
  async stop(): Promise<void> {
    this.isOver = true
    await Promise.all(this.loops)
    await this.balancer.stop()
  }

  private async loop(kind: Kind): Promise<void> {
    const everyMs = EVERY_MS[kind] * this.clients.slower
    const underWay = new Set<Promise<void>>()
    let nextMs = performance.now()
    while (!this.isOver) {
      if (underWay.size < UNDER_WAY_MS / everyMs) {
        const work = this.untilAcknowledged(kind, `${this.name}-${String(++this.number)}`)
        underWay.add(work)
        void work.finally(() => underWay.delete(work))
      }
      nextMs = Math.max(nextMs + everyMs, performance.now())
      await sleep(Math.max(0, nextMs - performance.now()))
    }
    await Promise.all(underWay)
  }

  private async untilAcknowledged(kind: Kind, id: string): Promise<void> {
    const attempts = kind === 'read' ? READ_ATTEMPTS : ATTEMPTS
    for (let attempt = 1; attempt <= attempts; attempt++) {
      const gateway = this.balancer.next()
      const startedMs = performance.now()
      const status = await this.send(kind, id, gateway).catch(() => 0)
      const sent = { kind, id, attempt, gateway, startedMs, endedMs: performance.now(), status }
      this.sent.push(sent)
      if (isDone(sent) || (status >= 400 && status < 500)) return
      await sleep(AGAIN_MS)
    }
  }

  private async send(kind: Kind, id: string, gateway: string): Promise<number> {
    const { own, principals } = this.clients
    const { slug, project, token } = own
    const place = `/api/v0/organizations/${slug}/projects`
    const byToken = headersOf(token.credential)
    switch (kind) {
      case 'read':
        return await request(gateway, 'GET', place, chosen(principals.readers, id))
      case 'chunk':
        return await sendChunk(gateway, chosen(principals.devices, id), id)
      case 'change':
        return await request(
          gateway,
          'POST',
          `${place}/${project.slug}/devices`,
          { ...byToken, 'content-type': 'application/json' },
          JSON.stringify({ device_serial: id }),
        )
      case 'observation':
        return await request(
          gateway,
          'POST',
          `/v1/organizations/${slug}/projects/${project.slug}/location/observations`,
          { ...byToken, 'content-type': 'application/json', 'idempotency-key': id },
          JSON.stringify({ items: [observation(id)] }),
        )
      case 'upload':
        return await this.upload(gateway, `${place}/${project.slug}`, id)
    }
  }

  private async upload(gateway: string, place: string, id: string): Promise<number> {
    const headers = { ...headersOf(this.clients.own.token.credential), 'content-type': 'application/json' }
    const prepared = await ask(gateway, 'POST', `${place}/upload`, headers, '{}')
    if (!prepared.ok) return prepared.status
    const { data } = (await prepared.json()) as { data: { upload_url: string; token: string } } // prepareUpload
    const put = await fetch(data.upload_url, {
      method: 'PUT',
      body: id,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    await put.arrayBuffer()
    if (!put.ok) return put.status
    const body = JSON.stringify({
      file: { token: data.token, name: id },
      device: { device_serial: this.name },
    })
    return await request(gateway, 'POST', `${place}/coredumps`, headers, body)
  }
}

/** Returns true if a request was acknowledged. */
export function isDone({ status }: Pick<Sent, 'status'>): boolean {
  return status >= 200 && status < 300
}

/** Sends a chunk of a device. @returns the status */
export async function sendChunk(gateway: string, device: Device, id: string): Promise<number> {
  const headers = { ...device.headers, 'content-type': 'application/octet-stream', 'idempotency-key': id }
  return await request(gateway, 'POST', `/api/v0/chunks/${device.serial}`, headers, id)
}

/** Principals send by turns, two requests each: gateways take turns too, and each of them has to cache each credential. */
function chosen<Principal>(principals: readonly Principal[], id: string): Principal {
  const principal = principals[Math.floor(numberOf(id) / 2) % principals.length]
  if (principal === undefined) throw new Error('there is no principal')
  return principal
}

function numberOf(id: string): number {
  return Number(id.slice(id.lastIndexOf('-') + 1))
}

/** Two access points of their own, so that no two observations are alike. */
function observation(id: string): object {
  const number = numberOf(id)
  const mac = (last: number) =>
    [
      '02',
      '00',
      ...[number >> 16, (number >> 8) % 256, number % 256, last].map((byte) =>
        byte.toString(16).padStart(2, '0'),
      ),
    ].join(':')
  return {
    id,
    position: { latitude: 48 + (number % 1_000) / 1_000, longitude: 11 },
    wifiAccessPoints: [1, 2].map((last) => ({ macAddress: mac(last), signalStrength: -50 - last })),
  }
}

function ask(
  gateway: string,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: string,
): Promise<Response> {
  return fetch(gateway + path, {
    method,
    headers,
    signal: AbortSignal.timeout(TIMEOUT_MS),
    ...(body !== undefined && { body }),
  })
}

async function request(...args: Parameters<typeof ask>): Promise<number> {
  const reply = await ask(...args)
  await reply.arrayBuffer()
  return reply.status
}
