import 'reflect-metadata'
import { createServer, type Server, type TLSSocket } from 'node:tls'
import type { AddressInfo, Socket } from 'node:net'
import { issue } from '@bearing/testing/certificates'
import * as x509 from '@peculiar/x509'
import { RECEIVER_ADDRESS } from './webhook-receiver.js'

interface Message {
  /** The part before the text. */
  readonly header: string
  readonly text: string
}

/** A receiver of syslog over TLS, in frames that count bytes (RFC 5425). */
export class SyslogReceiver {
  /** Returns true if it resets a connection. */
  isRefused: () => boolean = () => false
  private readonly whole: Buffer[] = []

  private constructor(
    private readonly server: Server,
    readonly certificate: string,
  ) {}

  static async start(): Promise<SyslogReceiver> {
    const names = new x509.SubjectAlternativeNameExtension([{ type: 'ip', value: RECEIVER_ADDRESS }])
    const { pem, keyPem } = await issue(undefined, `CN=${RECEIVER_ADDRESS}`, { extensions: [names] })
    const server = createServer({ cert: pem, key: keyPem }, (socket) => {
      receiver.receive(socket)
    })
    const receiver = new SyslogReceiver(server, pem)
    server.on('connection', (socket: Socket) => {
      if (receiver.isRefused()) socket.resetAndDestroy()
    })
    await new Promise<void>((resolve) => server.listen(0, RECEIVER_ADDRESS, resolve))
    return receiver
  }

  get url(): string {
    return `tls://${RECEIVER_ADDRESS}:${String((this.server.address() as AddressInfo).port)}` // it listens
  }

  /** The messages of all connections. */
  messages(): Message[] {
    return this.whole.flatMap(readFrames)
  }

  stop(): Promise<void> {
    return new Promise((resolve) => this.server.close(() => resolve()))
  }

  private receive(socket: TLSSocket): void {
    const parts: Buffer[] = []
    socket.on('error', () => undefined)
    socket.on('data', (part: Buffer) => parts.push(part))
    socket.on('end', () => {
      this.whole.push(Buffer.concat(parts))
      socket.end()
    })
  }
}

function readFrames(bytes: Buffer): Message[] {
  const messages: Message[] = []
  for (let at = 0; at < bytes.length;) {
    const space = bytes.indexOf(' ', at)
    const end = space + 1 + Number(bytes.subarray(at, space).toString())
    const text = bytes.subarray(space + 1, end).toString()
    const [header = ''] = /^<\d+>1 \S+ \S+ \S+ \S+ \S+ \S+/.exec(text) ?? []
    messages.push({ header, text: text.slice(header.length + 1) })
    at = end
  }
  return messages
}
