import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A request to the test provider. */
export interface Asked {
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: unknown
}

type Respond = (response: ServerResponse) => void

/** A public geolocation service on a local socket. */
export class TestProvider implements AsyncDisposable {
  readonly asked: Asked[] = []
  /** Responds to the next requests. */
  respond: Respond = answers(200, { location: { lat: 50, lng: 10 }, accuracy: 100 })

  private readonly server = createServer((request, response) => {
    void text(request).then((body) => {
      const { url = '', headers } = request
      this.asked.push({ url, headers, body: JSON.parse(body) as unknown })
      this.respond(response)
    })
  })

  static async start(): Promise<TestProvider> {
    const provider = new TestProvider()
    await new Promise<void>((resolve) => provider.server.listen(0, '127.0.0.1', resolve))
    return provider
  }

  get url(): string {
    const { port } = this.server.address() as AddressInfo // it listens
    return `http://127.0.0.1:${String(port)}/v1/geolocate`
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.server.closeAllConnections()
    await new Promise((resolve) => this.server.close(resolve))
  }
}

/** Responds with JSON, or with the text. */
export function answers(status: number, body: unknown): Respond {
  return (response) => {
    response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(typeof body === 'string' ? body : JSON.stringify(body))
  }
}
