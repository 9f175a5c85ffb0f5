import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'

/** The destination of a door. */
export interface Target {
  readonly host: string
  readonly port: number
}

/**
 * One TCP address in front of processes of which one is in charge, as a Service of Kubernetes is: new connections go to its target,
 * and those that are open stay with the former one, even where its host is gone and nobody says so.
 */
export class Door {
  private readonly sockets = new Set<Socket>()

  private constructor(
    private readonly server: Server,
    private target: Target,
  ) {}

  /** @param host IP address that it listens on, at a free port */
  static async open(host: string, target: Target): Promise<Door> {
    const server = createServer()
    const door = new Door(server, target)
    server.on('connection', (client) => {
      door.join(client)
    })
    await new Promise<void>((resolve) => server.listen(0, host, resolve))
    return door
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port // it listens on TCP
  }

  /** Leads new connections elsewhere. */
  moveTo(target: Target): void {
    this.target = target
  }

  /** Lets the connections that are open lead nowhere: what is sent there is neither read nor refused, as by a host without power. */
  silence(): void {
    for (const socket of this.sockets) socket.unpipe().pause()
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy()
    await new Promise((resolve) => this.server.close(resolve))
  }

  private join(client: Socket): void {
    const behind = connect({ ...this.target, noDelay: true })
    client.setNoDelay(true)
    const end = () => {
      client.destroy()
      behind.destroy()
    }
    for (const socket of [client, behind]) {
      this.sockets.add(socket)
      socket.on('error', end).on('close', () => {
        this.sockets.delete(socket)
        end()
      })
    }
    client.pipe(behind)
    behind.pipe(client)
  }
}
