import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'

/** Takes every connection and never says a word. */
export class Tarpit {
  /** Connections that were made so far. */
  accepted = 0
  private readonly sockets = new Set<Socket>()
  private readonly server: Server

  private constructor(private readonly host: string) {
    this.server = createServer((socket) => {
      this.accepted++
      this.sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => this.sockets.delete(socket))
    })
  }

  static async start(host: string): Promise<Tarpit> {
    const tarpit = new Tarpit(host)
    await new Promise<void>((resolve) => tarpit.server.listen(0, host, resolve))
    return tarpit
  }

  get url(): string {
    return `http://${this.host}:${String((this.server.address() as AddressInfo).port)}/` // it listens
  }

  /** Ends every connection that was made. */
  hangUp(): void {
    for (const socket of this.sockets) socket.destroy()
  }

  async stop(): Promise<void> {
    this.hangUp()
    await new Promise((resolve) => this.server.close(resolve))
  }
}
