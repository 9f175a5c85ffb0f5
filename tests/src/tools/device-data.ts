import { randomUUID } from 'node:crypto'
import { eventually } from '@bearing/testing/eventually'
import type { TestOrganization, TestProject } from '@bearing/testing/factories'
import { sendRaw, type RawReply } from './raw-http.js'

/** A serial number that no other test has. */
export function newSerial(): string {
  return `DEVICE-${randomUUID().slice(0, 13)}`
}

/** One device of a project, with what it has sent. */
export class TestDevice {
  readonly serial = newSerial()

  constructor(
    private readonly gateway: string,
    private readonly organization: Pick<TestOrganization, 'slug' | 'token'>,
    private readonly project: Pick<TestProject, 'slug' | 'key'>,
  ) {}

  /** The slugs and the serial of the device, for calls. */
  get address(): { organization: string; project: string; device_serial: string } {
    return {
      organization: this.organization.slug,
      project: this.project.slug,
      device_serial: this.serial,
    }
  }

  private get client(): TestOrganization['token']['client'] {
    return this.organization.token.client
  }

  /** Sends a body as a small client does: no space after the colon of the key, nothing that is not needed. */
  send(
    body: string | Uint8Array,
    headers: readonly string[] = ['Content-Type: application/octet-stream'],
    path = `/api/v0/chunks/${this.serial}`,
  ): Promise<RawReply> {
    const bytes = Buffer.from(body as string, 'latin1')
    const head = [
      `POST ${path} HTTP/1.1`,
      'Host: x',
      `Service-Project-Key:${this.project.key}`,
      ...headers,
      `Content-Length: ${String(bytes.length)}`,
      '',
      '',
    ]
    return sendRaw(this.gateway, Buffer.concat([Buffer.from(head.join('\r\n'), 'latin1'), bytes]))
  }

  /** Everything that is stored of it, in the order in which it has sent it, once there are so many. */
  async stored(atLeast: number): Promise<string[]> {
    const chunks = await eventually(
      async () => {
        const found = await this.client.listAll('listChunks', this.address)
        if (found.length < atLeast)
          throw new Error(`only ${String(found.length)} of ${String(atLeast)} chunks`)
        return found
      },
      { withinMs: 60_000, everyMs: 50 },
    )
    const contents: string[] = []
    for (const { id } of chunks) contents.push((await this.download(id)).toString('latin1'))
    return contents
  }

  /** Returns the number of counted chunks, once there are so many. */
  async count(atLeast: number): Promise<number> {
    return await eventually(
      async () => {
        const { chunk_count } = await this.client.call('showDevice', this.address)
        if (chunk_count < atLeast) throw new Error(`only ${String(chunk_count)} of ${String(atLeast)} chunks`)
        return chunk_count
      },
      { withinMs: 60_000, everyMs: 100 },
    )
  }

  /** The bytes of a chunk. */
  async download(id: string): Promise<Buffer> {
    const { organization, project } = this.address
    const path = `/api/v0/organizations/${organization}/projects/${project}/devices/${this.serial}/chunks/${id}`
    const response = await fetch(this.gateway + path, {
      headers: { authorization: `Bearer ${this.organization.token.token}` },
    })
    if (response.status !== 200) throw new Error(`the chunk was answered ${String(response.status)}`)
    return Buffer.from(await response.arrayBuffer())
  }
}
