import { connect, type Socket } from 'node:net'

/** Figures of a round of load. */
export interface Round {
  readonly requests: number
  readonly seconds: number
  /** Latency of every request in milliseconds, in no order. */
  readonly latenciesMs: readonly number[]
  /** Replies that were no success. */
  readonly failures: number
}

/** Requests that are sent: over and over, in this order. */
export interface Load {
  readonly port: number
  /** Whole HTTP/1.1 requests as bytes. */
  readonly requests: readonly Buffer[]
  /** Connections, each with one request under way at a time. */
  readonly connections: number
  readonly seconds: number
}

/**
 * Sends requests to this machine for a bounded time, one after the other on each connection. Written on bare sockets: an
 * HTTP client would cost more than what is measured.
 */
export async function run({ port, requests, connections, seconds }: Load): Promise<Round> {
  const latenciesMs: number[] = []
  let failures = 0
  let next = 0
  const started = performance.now()
  const end = started + seconds * 1_000
  const one = (socket: Socket): Promise<void> =>
    new Promise((resolve, reject) => {
      const reply = new ReplyReader()
      let sentAt = 0
      const send = () => {
        const request = requests[next++ % requests.length]
        if (!request) throw new Error('a load needs requests')
        sentAt = performance.now()
        socket.write(request)
      }
      socket.on('error', reject)
      socket.on('close', () => {
        if (performance.now() < end) reject(new Error('the connection was closed'))
      })
      socket.on('data', (chunk) => {
        const status = reply.read(chunk)
        if (status === undefined) return
        const now = performance.now()
        latenciesMs.push(now - sentAt)
        if (status < 200 || status > 299) failures++
        if (now < end) send()
        else {
          socket.destroy()
          resolve()
        }
      })
      send()
    })
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(port)))
  await Promise.all(sockets.map(one))
  return {
    requests: latenciesMs.length,
    seconds: (performance.now() - started) / 1_000,
    latenciesMs,
    failures,
  }
}

/** Writes a request as bytes. */
export function httpRequest(
  method: string,
  path: string,
  headers: Record<string, string>,
  body = '',
): Buffer {
  const head = Object.entries({
    Host: '127.0.0.1',
    ...headers,
    'Content-Length': String(Buffer.byteLength(body)),
  })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${head}\r\n${body}`)
}

/** @param localAddress of this machine, that the connection comes from */
export function open(port: number, localAddress = '127.0.0.1'): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress, noDelay: true }, () => {
      socket.removeListener('error', reject)
      resolve(socket)
    })
    socket.once('error', reject)
  })
}

/** Finds the end of a reply that has a Content-Length. */
export class ReplyReader {
  private pending: Buffer = Buffer.alloc(0)

  /** The status once the reply is whole. */
  read(chunk: Buffer): number | undefined {
    this.pending = this.pending.length === 0 ? chunk : Buffer.concat([this.pending, chunk])
    const headEnd = this.pending.indexOf('\r\n\r\n')
    if (headEnd < 0) return undefined
    const head = this.pending.toString('latin1', 0, headEnd)
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? Number.NaN)
    if (Number.isNaN(length)) throw new Error(`a reply without Content-Length: ${head}`)
    if (this.pending.length < headEnd + 4 + length) return undefined
    this.pending = Buffer.alloc(0)
    return Number(head.slice(9, 12))
  }
}
