import { createSocket, type Socket } from 'node:dgram'

/** A name server with TXT records, for the zone of the tests. */
export class NameServer {
  /** Texts by domain. Of other domains it says that there are none. */
  readonly records = new Map<string, string>()
  private readonly socket: Socket = createSocket('udp4')

  static async start(): Promise<NameServer> {
    const server = new NameServer()
    server.socket.on('message', (question, { port, address }) => {
      server.socket.send(server.answer(question), port, address)
    })
    await new Promise<void>((resolve) => server.socket.bind(0, '127.0.0.1', resolve))
    return server
  }

  get address(): string {
    return `127.0.0.1:${String(this.socket.address().port)}`
  }

  stop(): Promise<void> {
    return new Promise((resolve) => this.socket.close(() => resolve()))
  }

  /** RFC 1035 §4: the question again, and the record where there is one. */
  private answer(message: Buffer): Buffer {
    const { name, end } = nameIn(message)
    const question = message.subarray(12, end + 4)
    const text = this.records.get(name)
    const header = Buffer.alloc(12)
    message.copy(header, 0, 0, 2)
    header.writeUInt16BE(text === undefined ? 0x8183 : 0x8180, 2) // answer; NXDOMAIN or not
    header.writeUInt16BE(1, 4)
    header.writeUInt16BE(text === undefined ? 0 : 1, 6)
    return Buffer.concat([header, question, ...(text === undefined ? [] : [record(text)])])
  }
}

/** The name of the question, and where it ends. */
function nameIn(message: Buffer): { name: string; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 }
}

/** A TXT record of the name in the question. */
function record(text: string): Buffer {
  const data = Buffer.concat([Buffer.from([text.length]), Buffer.from(text)])
  // Name: pointer to byte 12; type 16, class 1, time to live 0.
  return Buffer.concat([Buffer.from([0xc0, 12, 0, 16, 0, 1, 0, 0, 0, 0, 0, data.length]), data])
}
