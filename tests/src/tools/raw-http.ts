import { connect } from 'node:net'

/** A reply as it stood on the wire. */
export interface RawReply {
  /** The status line, without its line end. */
  readonly statusLine: string
  readonly status: number
  /** By name in lower case. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

/**
 * Writes bytes to a gateway, exactly as they are, and reads one reply.
 *
 * @param end whether nothing more comes after them, and the connection is half-closed
 * @throws where the connection ends without a reply
 */
export function sendRaw(
  gateway: string,
  bytes: string | Uint8Array,
  { end = false } = {},
): Promise<RawReply> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port: Number(new URL(gateway).port), host: '127.0.0.1', allowHalfOpen: true })
    let received = Buffer.alloc(0)
    const settle = (done: () => void) => {
      socket.destroy()
      done()
    }
    socket.on('data', (data) => {
      received = Buffer.concat([received, data])
      const reply = readReply(received)
      if (reply)
        settle(() => {
          resolve(reply)
        })
    })
    socket.once('error', (error) => {
      settle(() => {
        reject(error)
      })
    })
    socket.once('end', () => {
      settle(() => {
        reject(new Error(`the connection ended after ${String(received.length)} bytes`))
      })
    })
    if (end) socket.end(bytes)
    else socket.write(bytes)
  })
}

/** The reply, where all of it is there. One without Content-Length never is: small clients wait for it for ever. */
function readReply(received: Buffer): RawReply | undefined {
  const head = received.indexOf('\r\n\r\n')
  if (head < 0) return undefined
  const [statusLine = '', ...lines] = received.toString('latin1', 0, head).split('\r\n')
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
  const length = Number(headers.get('content-length') ?? Infinity)
  if (received.length < head + 4 + length) return undefined
  return {
    statusLine,
    status: Number(statusLine.split(' ')[1]),
    headers,
    body: received.toString('utf8', head + 4, head + 4 + length),
  }
}

/** Writes a request as it is, and returns what is received until the connection closes. */
export function sendUntilClosed(gateway: string, request: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let reply = ''
    const socket = connect(Number(new URL(gateway).port), '127.0.0.1', () => socket.write(request, 'latin1'))
    socket.setTimeout(60_000, () => socket.destroy(new Error('no answer')))
    socket.on('data', (chunk) => (reply += chunk.toString('latin1')))
    // A server that responds before everything was sent may reset the connection afterwards: the response counts.
    socket.on('error', (error) => {
      if (reply === '') reject(error)
    })
    socket.on('close', () => {
      resolve(reply)
    })
  })
}
