import { setTimeout as sleep } from 'node:timers/promises'
import {
  AuthorizationError,
  connect,
  nkeyAuthenticator,
  PermissionViolationError,
  type ConnectionOptions,
  type NatsConnection,
} from '@nats-io/transport-node'
import { nkeyOf } from './permissions/nkey.js'
import { jetstreamPrefix } from './permissions/inboxes.js'
import { endStaleSocket, socketOf } from './workarounds/stale-socket.js'

/** Options of a connection to NATS. */
export interface NatsOptions {
  /** One URL or several, comma separated; a user and password may stand in it. */
  readonly url: string
  /** Proves who connects, instead of a user and password: the seed of an nkey, `SU…`. Secret. */
  readonly nkeySeed?: string | undefined
  /** The user's name: shown in the server's connection list, and part of its inboxes. */
  readonly name: string
  /** Wait for a server that is not up yet (services start in any order), instead of failing. */
  readonly waitForServer?: boolean
  /** Called after each failed attempt to reach a server that is not up yet. The error has no secrets. */
  readonly unreachable?: (error: unknown) => void
}

/** A NATS connection that comes back for ever, and knows whether it is up. */
export class Connection {
  private up = true
  private lostAtMs = 0
  private reconnections = 0
  private roundTripMs: number | undefined
  private isHeld = false
  private isLeaving = false
  private opening: Promise<boolean> | undefined
  private readonly onLeave: (() => Promise<unknown>)[] = []
  private readonly underWay: (() => number)[] = []
  private readonly onReconnect: (() => void)[] = []
  private readonly onDisconnect: (() => void)[] = []
  private readonly onRefusal: ((refusal: Error) => void)[] = []

  constructor(
    /** The connection itself, for `packages/nats` alone. */
    readonly raw: NatsConnection,
    readonly name: string,
  ) {
    void this.watch()
  }

  /** True if messages go out right now. */
  get isUp(): boolean {
    return this.up && !this.raw.isClosed()
  }

  /** True if something new may be sent right now. */
  get isOpen(): boolean {
    return this.isUp && !this.isHeld
  }

  /**
   * Waits for a connection that was lost a moment ago, or that changes its server. Unsent messages may always wait.
   *
   * @returns true if something new may be sent; false from 1 s after the loss on
   */
  opens(): Promise<boolean> {
    this.opening ??= this.untilOpen().finally(() => {
      this.opening = undefined
    })
    return this.opening
  }

  /** Time for which messages have not gone out, in milliseconds; 0 while they do. */
  get downMs(): number {
    return this.isUp ? 0 : performance.now() - this.lostAtMs
  }

  /** Number of times that the connection came back after it was lost. */
  get reconnects(): number {
    return this.reconnections
  }

  /** The last measured round trip to the server, in milliseconds; undefined before the first {@link ping}. */
  get lastRoundTripMs(): number | undefined {
    return this.roundTripMs
  }

  /** Largest message in bytes, as the server says. */
  get maxPayload(): number {
    return this.raw.info?.max_payload ?? 1_048_576
  }

  /** Calls back after the connection came back. Messages that were published in between were missed. */
  reconnected(callback: () => void): void {
    this.onReconnect.push(callback)
  }

  /**
   * Calls back before the connection changes its server because the one that it has is about to stop: receive nothing new, and resolve
   * when everything that was received is answered.
   */
  beforeLeaving(finish: () => Promise<unknown>): void {
    this.onLeave.push(finish)
  }

  /** Asks for the number of requests that wait for replies, before the connection changes its server. */
  waitsFor(count: () => number): void {
    this.underWay.push(count)
  }

  /** Calls back when the connection is lost. */
  disconnected(callback: () => void): void {
    this.onDisconnect.push(callback)
  }

  /** Calls back when the server refuses something: a subject that this user may not use, or the user itself. */
  refused(callback: (refusal: Error) => void): void {
    this.onRefusal.push(callback)
  }

  /**
   * Asks the server for a sign of life.
   *
   * @returns the round trip in milliseconds
   * @throws where the connection is down or no answer came within `timeoutMs`
   */
  async ping(timeoutMs = 2_000): Promise<number> {
    let timer: NodeJS.Timeout | undefined
    const timeout = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        reject(new Error('NATS did not answer in time'))
      }, timeoutMs)
    })
    try {
      if (!this.isUp) throw new Error('NATS is not connected')
      this.roundTripMs = await Promise.race([this.raw.rtt(), timeout])
      return this.roundTripMs
    } finally {
      clearTimeout(timer)
    }
  }

  /** Finishes what is under way, then closes. */
  async drain(): Promise<void> {
    if (this.raw.isClosed()) return
    // Draining needs the server; without one there is nothing left to finish.
    if (this.isUp) await this.raw.drain()
    else await this.raw.close()
  }

  private async watch(): Promise<void> {
    for await (const status of this.raw.status()) {
      if (status.type === 'disconnect' || status.type === 'staleConnection') this.setUp(false)
      if (status.type === 'staleConnection') endStaleSocket(this.raw)
      if (status.type === 'reconnect') this.setUp(true)
      if (status.type === 'ldm') void this.leave()
      if (status.type === 'error' && isRefusal(status.error))
        for (const callback of this.onRefusal) callback(status.error)
    }
    this.up = false
  }

  /**
   * Changes to another server, because this one says that it is about to stop ("lame duck mode"). Waiting for it to close the connection
   * would lose the requests that are under way then.
   */
  private async leave(): Promise<void> {
    // A server that is alone serves until it stops.
    if (this.isLeaving || this.raw.info?.cluster === undefined) return
    this.isLeaving = true
    // Not all processes of a service at the same time.
    await sleep(Math.random() * SPREAD_MS)
    await within(FINISH_MS, Promise.all(this.onLeave.map((finish) => finish())))
    this.lostAtMs = performance.now()
    this.isHeld = true
    const untilMs = this.lostAtMs + HELD_MS
    // One turn, so that what is sent at the end of this one counts.
    do await sleep(STEP_MS)
    while (this.underWay.some((count) => count() > 0) && performance.now() < untilMs)
    // If it was lost meanwhile it is connecting already; if it is being closed it stays.
    const isChanging = this.isUp && (await hasSucceeded(this.raw.reconnect()))
    // Not reported as a loss: what still waits for its reply gets it from the other server.
    if (isChanging) this.up = false
    this.lostAtMs = performance.now()
    this.isHeld = false
    this.isLeaving = false
  }

  private async untilOpen(): Promise<boolean> {
    while (!this.isOpen) {
      if (this.raw.isClosed() || performance.now() >= this.lostAtMs + RETURN_MS) return false
      await sleep(STEP_MS)
    }
    return true
  }

  private setUp(up: boolean): void {
    if (this.up === up) return
    this.up = up
    if (up) this.reconnections++
    else this.lostAtMs = performance.now()
    for (const callback of up ? this.onReconnect : this.onDisconnect) callback()
  }
}

function isRefusal(error: Error): boolean {
  return error instanceof PermissionViolationError || error instanceof AuthorizationError
}

/** Time that calls wait for the return of a connection, in milliseconds. A change of the server takes a tenth of it. */
const RETURN_MS = 1_000
/** Interval at which that is checked, in milliseconds. */
const STEP_MS = 5
/**
 * A server that is about to stop is left within so many milliseconds, chosen at random; NATS serves on for 10 s. Then so long may what was
 * received take, and what was sent, before the connection changes all the same.
 */
const [SPREAD_MS, FINISH_MS, HELD_MS] = [3_000, 250, 500]

async function hasSucceeded(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  )
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const over = new AbortController()
  const limit = sleep(ms, undefined, { signal: over.signal }).catch(() => undefined)
  await Promise.race([hasSucceeded(work), limit])
  over.abort()
}

/** Pause before a server that was not up is tried again, in milliseconds. */
const RETRY_MS = 250
/**
 * A server whose host vanished is left after three unanswered intervals: 3 to 4.5 s. A blocked event loop does not count
 * against the server: of the pings it missed it sends one.
 */
const PING_MS = 1_500
const PINGS_UNANSWERED = 2
/** Time limit for one server to accept a connection, in milliseconds, before the next one is tried. */
const CONNECT_MS = 2_000
/** The same for a program that tries once and ends, such as a command of an operator. */
const CONNECT_ONCE_MS = 10_000

/**
 * Connects to NATS. Reconnects for ever.
 *
 * @throws where the server refuses the user or the nkey is none, and where it cannot be reached, unless `waitForServer`;
 *   the message never holds the URL's password or the nkey's seed
 */
export async function connectNats(options: NatsOptions): Promise<Connection> {
  const { url, name, nkeySeed, waitForServer = true, unreachable } = options
  const seed = nkeySeed === undefined ? undefined : nkeyOf(nkeySeed).seed
  const connectionOptions: ConnectionOptions = {
    ...serversOf(url),
    ...(seed === undefined
      ? userOf(url)
      : { authenticator: nkeyAuthenticator(new TextEncoder().encode(seed)) }),
    name,
    inboxPrefix: jetstreamPrefix(name),
    maxReconnectAttempts: -1,
    // A server whose configuration is a version behind may refuse the user now and know it later.
    ignoreAuthErrorAbort: true,
    reconnectTimeWait: RETRY_MS,
    reconnectJitter: 250,
    pingInterval: PING_MS,
    maxPingOut: PINGS_UNANSWERED,
    timeout: waitForServer ? CONNECT_MS : CONNECT_ONCE_MS,
    // A stack trace for every request, in case it fails, would be an eighth of the gateway's time.
    noAsyncTraces: true,
  }
  const raw = await connectOnceUp(connectionOptions, waitForServer, unreachable)
  socketOf(raw)
  return new Connection(raw, name)
}

/** The library's own way to wait would also wait, in silence, for a server that refuses the user. */
async function connectOnceUp(
  options: ConnectionOptions,
  waits: boolean,
  unreachable: NatsOptions['unreachable'],
): Promise<NatsConnection> {
  for (;;) {
    try {
      return await connect(options)
    } catch (error) {
      if (error instanceof AuthorizationError && !isTooSlow(error))
        throw new Error('NATS refuses the user: its nkey, or its name and password.', { cause: error })
      if (!waits) throw error
      unreachable?.(error)
      await sleep(RETRY_MS)
    }
  }
}

/** A busy machine may not prove who it is in the time that the server gives: that is no refusal of the user. */
function isTooSlow({ message }: Error): boolean {
  return /authentication timeout/i.test(message)
}

function serversOf(url: string): ConnectionOptions {
  const servers = parse(url)
  return {
    servers: servers.map((server) => server.host),
    ...(servers.some((server) => server.protocol === 'tls:') && { tls: {} }),
  }
}

function userOf(url: string): ConnectionOptions {
  const server = parse(url).find(({ username }) => username !== '')
  if (!server) return {}
  return { user: decodeURIComponent(server.username), pass: decodeURIComponent(server.password) }
}

function parse(url: string): URL[] {
  return url.split(',').map((server) => new URL(server.includes('://') ? server : `nats://${server}`))
}
