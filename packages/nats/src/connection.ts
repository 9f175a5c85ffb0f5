import { connect, type ConnectionOptions, type NatsConnection } from '@nats-io/transport-node'

/** How to reach NATS. */
export interface NatsOptions {
  /** One URL or several, comma separated; a user and password may stand in it. */
  readonly url: string
  /** Shown in the server's connection list, and the prefix of this service's inbox. */
  readonly name: string
  /** Wait for a server that is not up yet (services start in any order), instead of failing. */
  readonly waitForServer?: boolean
}

/** A NATS connection that comes back for ever, and knows whether it is up. */
export class Connection {
  private up = true
  private readonly onReconnect: (() => void)[] = []
  private readonly onDisconnect: (() => void)[] = []

  constructor(
    /** The connection itself, for `packages/nats` alone. */
    readonly raw: NatsConnection,
    readonly name: string,
  ) {
    void this.watch()
  }

  /** Whether messages go out right now. */
  get isUp(): boolean {
    return this.up && !this.raw.isClosed()
  }

  /** Largest message in bytes, as the server says. */
  get maxPayload(): number {
    return this.raw.info?.max_payload ?? 1_048_576
  }

  /** Calls back after the connection came back. What was published in between has been missed. */
  reconnected(callback: () => void): void {
    this.onReconnect.push(callback)
  }

  /** Calls back when the connection is lost. */
  disconnected(callback: () => void): void {
    this.onDisconnect.push(callback)
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
      return await Promise.race([this.raw.rtt(), timeout])
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
      if (status.type === 'reconnect') this.setUp(true)
    }
    this.up = false
  }

  private setUp(up: boolean): void {
    if (this.up === up) return
    this.up = up
    for (const callback of up ? this.onReconnect : this.onDisconnect) callback()
  }
}

/**
 * Connects to NATS. Reconnects for ever.
 *
 * @throws where the server cannot be reached, unless `waitForServer`; the message never holds the URL's password
 */
export async function connectNats({ url, name, waitForServer = true }: NatsOptions): Promise<Connection> {
  const options: ConnectionOptions = {
    ...serversOf(url),
    name,
    inboxPrefix: `_INBOX_${name}`,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    reconnectJitter: 250,
    pingInterval: 10_000,
    maxPingOut: 2,
    waitOnFirstConnect: waitForServer,
    timeout: 5_000,
    // A stack trace for every request, in case it fails, would be an eighth of the gateway's time.
    noAsyncTraces: true,
  }
  return new Connection(await connect(options), name)
}

function serversOf(url: string): ConnectionOptions {
  const servers = url
    .split(',')
    .map((server) => new URL(server.includes('://') ? server : `nats://${server}`))
  const withUser = servers.find((server) => server.username !== '')
  return {
    servers: servers.map((server) => server.host),
    ...(withUser && {
      user: decodeURIComponent(withUser.username),
      pass: decodeURIComponent(withUser.password),
    }),
    ...(servers.some((server) => server.protocol === 'tls:') && { tls: {} }),
  }
}
