import { Buffer } from 'node:buffer'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'

/** The statement at which a connection is cut is lost (`before`), or it arrives and its answer is lost (`after`). */
export type Cut = 'before' | 'after'

/** Types of message that run a statement: Query and Execute (PostgreSQL frontend/backend protocol 3.0). */
const RUNS = new Set([0x51, 0x45])

/**
 * Stands between a service and Postgres and can cut a connection at a chosen statement. To the database that is the same as
 * the death of the service at that moment; the service stays, so that hundreds of deaths take seconds.
 */
export class PostgresProxy {
  private armed: { left: number; readonly cut: Cut } | undefined
  private readonly sockets = new Set<Socket>()

  private constructor(
    private readonly server: Server,
    private readonly target: URL,
    private readonly host: string,
  ) {}

  /**
   * @param target the URL of the database
   * @param host IP address that it listens on
   */
  static async start(target: string, host = '127.0.0.1'): Promise<PostgresProxy> {
    const server = createServer()
    const proxy = new PostgresProxy(server, new URL(target), host)
    server.on('connection', (client) => {
      proxy.join(client)
    })
    await new Promise<void>((resolve) => server.listen(0, host, resolve))
    return proxy
  }

  /** The URL to give to the service. */
  get url(): string {
    const url = new URL(this.target)
    url.port = String((this.server.address() as AddressInfo).port) // it listens on TCP
    url.hostname = this.host
    return url.href
  }

  /** Cuts the connection that runs the so manyth statement from now on, from 1. Once. */
  cutAt(statement: number, cut: Cut): void {
    this.armed = { left: statement, cut }
  }

  /**
   * Cuts no more.
   *
   * @returns whether it has cut the connection since {@link cutAfter} was called
   */
  disarm(): boolean {
    const hasCut = this.armed === undefined
    this.armed = undefined
    return hasCut
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy()
    await new Promise((resolve) => this.server.close(resolve))
  }

  private join(client: Socket): void {
    const database = connect(Number(this.target.port), this.target.hostname)
    // Messages that came together are written one by one: without this each would wait for the one before.
    database.setNoDelay(true)
    const end = () => {
      client.destroy()
      database.destroy()
    }
    for (const socket of [client, database]) {
      this.sockets.add(socket)
      socket.on('error', end).on('close', () => {
        this.sockets.delete(socket)
        end()
      })
    }
    database.on('data', (bytes) => client.write(bytes))
    const read = messageReader((message, runs) => {
      const cut = runs ? this.cutNow() : undefined
      if (cut !== 'before') database.write(message)
      if (cut === 'before') end()
      // The statements arrive: only the way back is cut. Postgres sees the end after it has processed them.
      if (cut === 'after') {
        client.destroy()
        database.end()
      }
      return cut === undefined
    })
    client.on('data', read)
  }

  private cutNow(): Cut | undefined {
    if (!this.armed || --this.armed.left > 0) return undefined
    const { cut } = this.armed
    this.armed = undefined
    return cut
  }
}

/** Cuts a stream into messages: the first one has no type, all others begin with one. */
function messageReader(take: (message: Buffer, runs: boolean) => boolean): (bytes: Buffer) => void {
  let rest = Buffer.alloc(0)
  let isFirst = true
  return (bytes) => {
    rest = Buffer.concat([rest, bytes])
    for (;;) {
      const head = isFirst ? 0 : 1
      if (rest.length < head + 4) return
      const length = head + rest.readInt32BE(head)
      if (rest.length < length) return
      const message = rest.subarray(0, length)
      rest = rest.subarray(length)
      const runs = !isFirst && RUNS.has(message[0] ?? 0)
      isFirst = false
      if (!take(message, runs)) return
    }
  }
}
