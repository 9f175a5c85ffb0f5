import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eventually } from '@bearing/testing/eventually'
import { Webhook, WebhookVerificationError } from 'standardwebhooks'

/** The only address that the stacks of these tests let webhooks reach, beside public ones. */
export const RECEIVER_ADDRESS = '127.0.0.2'

/** One request that a receiver got. */
export interface Received {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly bytes: Buffer
  readonly json: { readonly type: string; readonly timestamp: string; readonly data: Record<string, unknown> }
}

/** Answers a request to a receiver. */
export type Answer = (reply: ServerResponse, received: Received) => void

/** Answers with a status and nothing else. */
export const answering =
  (status: number, headers: Readonly<Record<string, string>> = {}): Answer =>
  (reply) => {
    reply.writeHead(status, headers).end()
  }

/** A receiver of webhooks: a real HTTP server. */
export class WebhookReceiver {
  readonly received: Received[] = []
  /** May be changed at any time; 204 at first. */
  answer: Answer = answering(204)
  private readonly server: Server

  private constructor() {
    this.server = createServer((request, reply) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const bytes = Buffer.concat(chunks)
        const body = bytes.toString()
        const received = {
          ...{ method: request.method ?? '', path: request.url ?? '', headers: request.headers, body, bytes },
          get json() {
            return JSON.parse(body) as Received['json']
          },
        }
        this.received.push(received)
        this.answer(reply, received)
      })
    })
  }

  static async start(host = RECEIVER_ADDRESS): Promise<WebhookReceiver> {
    const receiver = new WebhookReceiver()
    await new Promise<void>((resolve) => receiver.server.listen(0, host, resolve))
    return receiver
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port // it listens
  }

  get url(): string {
    return `http://${(this.server.address() as AddressInfo).address}:${String(this.port)}/hook`
  }

  /** Returns the received requests, once there are so many. */
  async got(atLeast: number, withinMs = 60_000): Promise<readonly Received[]> {
    return eventually(
      () => {
        if (this.received.length < atLeast)
          throw new Error(`only ${String(this.received.length)} of ${String(atLeast)} requests`)
        return this.received
      },
      { withinMs, everyMs: 20 },
    )
  }

  /** Ends its connections, and listens again where it did. */
  async restart(): Promise<void> {
    const { address, port } = this.server.address() as AddressInfo
    await this.stop()
    await new Promise<void>((resolve) => this.server.listen(port, address, resolve))
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections()
    await new Promise((resolve) => this.server.close(resolve))
  }
}

/** Returns true if a request is signed with a secret, by the reference implementation of Standard Webhooks. */
export function isSignedWith({ headers, body }: Received, secret: string): boolean {
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>)
    return true
  } catch (error) {
    if (error instanceof WebhookVerificationError) return false
    throw error
  }
}
