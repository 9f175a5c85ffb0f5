import { setTimeout as sleep } from 'node:timers/promises'
import { DeviceData } from '@bearing/contracts/management/data/device-data'
import { DEVICE_DATA_STREAM } from '@bearing/contracts/nats/streams'
import { connectNats } from '@bearing/nats/connection'
import { StoredStream } from '@bearing/nats/stored-stream'
import type { TestOrganization } from '@bearing/testing/factories'

const AGAIN_MS = 50

/** Contents of chunks by the device that has sent them. */
export type Contents = Map<string, string[]>

/** Reads what the devices of a project send while parts of Bearing are killed, as a program does: from cursor to cursor. */
export class ChangefeedReader {
  readonly read: Contents = new Map()
  private after: string | undefined

  constructor(
    private readonly client: TestOrganization['token']['client'],
    private readonly scope: { readonly organization: string; readonly project: string },
  ) {}

  /** Reads while it should, and then what is left. */
  async run(shouldContinue: () => boolean): Promise<void> {
    for (let isLast = false; !isLast;) {
      isLast = !shouldContinue()
      while (!(await this.part(isLast ? '0s' : '1s'))) await sleep(AGAIN_MS)
    }
  }

  /** @returns whether a reply ended as it should */
  private async part(wait: string): Promise<boolean> {
    try {
      const query = { ...this.scope, wait, ...(this.after !== undefined && { after: this.after }) }
      for await (const item of this.client.stream('readData', query)) {
        this.after = item.cursor
        if (item.kind === 'chunk') add(this.read, item.device_serial, item.data)
      }
      return true
    } catch {
      return false
    }
  }
}

/** Returns the chunks in the stream of device data, each id once. */
export async function chunksInStream(natsUrl: string): Promise<Contents> {
  const connection = await connectNats({ url: natsUrl, name: 'stream-reader' })
  try {
    const stream = new StoredStream(connection, DEVICE_DATA_STREAM)
    const found: Contents = new Map()
    const ids = new Set<string>()
    for (let message = await stream.from(1); message; message = await stream.from(message.number + 1)) {
      const data = DeviceData.parse(JSON.parse(Buffer.from(message.body).toString()))
      if (data.kind !== 'chunk' || ids.has(data.id)) continue
      ids.add(data.id)
      add(found, data.device_serial, data.data)
    }
    return found
  } finally {
    await connection.drain()
  }
}

function add(contents: Contents, serial: string, data: string | null): void {
  const chunks = contents.get(serial) ?? []
  contents.set(serial, [...chunks, Buffer.from(data ?? '', 'base64').toString()])
}
