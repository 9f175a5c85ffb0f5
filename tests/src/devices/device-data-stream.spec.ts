import { randomBytes, randomUUID } from 'node:crypto'
import { DeviceData, deviceDataSubject } from '@bearing/contracts/management/data/device-data'
import { DEVICE_DATA_STREAM } from '@bearing/contracts/nats/streams'
import { connectNats, type Connection } from '@bearing/nats/connection'
import { makeFeedConsumer } from '@bearing/nats/feed-consumers'
import { StoredStream } from '@bearing/nats/stored-stream'
import { eventually } from '@bearing/testing/eventually'
import { newOrganization, type TestOrganization } from '@bearing/testing/factories'
import { startStack, type Stack } from '@bearing/testing/stack'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { TestDevice } from '../tools/device-data.js'
import { commit, prepare, put } from '../tools/uploading.js'

/** Long enough for services that were killed to come back and to be given their messages again, in milliseconds. */
const RECOVERED_MS = 90_000

describe('the stream of device data', () => {
  let stack: Stack
  let own: TestOrganization
  let connection: Connection
  const read = new Map<string, DeviceData>()
  const reading = new AbortController()

  beforeAll(async () => {
    stack = await startStack({ gateways: 1 })
    own = await newOrganization(stack)
    connection = await connectNats({ url: stack.natsUrl, name: 'test' })
    await makeFeedConsumer(connection, DEVICE_DATA_STREAM, {
      name: 'test',
      subjects: [deviceDataSubject({ organization_id: own.id })],
      start: undefined,
    })
    void readAll()
  })

  afterAll(async () => {
    reading.abort()
    await connection.drain()
    await stack.stop()
  })

  /** As a client without a library does, which some languages have none of. */
  async function readAll(): Promise<void> {
    const { raw } = connection
    while (!reading.signal.aborted) {
      const inbox = `_INBOX.test.${randomUUID()}`
      const messages = raw.subscribe(inbox)
      // If NATS is killed, the request never ends.
      const timer = setTimeout(() => messages.unsubscribe(), 3_000)
      const next = { batch: 500, expires: 1_000_000_000 }
      raw.publish(`$JS.API.CONSUMER.MSG.NEXT.${DEVICE_DATA_STREAM.name}.test`, JSON.stringify(next), {
        reply: inbox,
      })
      for await (const message of messages) {
        // The status with which JetStream ends the request.
        if (message.headers?.code) break
        const data = DeviceData.parse(message.json())
        expect(message.headers?.get('Nats-Msg-Id')).toBe(data.id)
        expect(message.subject).toBe(deviceDataSubject(data))
        read.set(data.id, data)
        message.respond('+ACK')
      }
      clearTimeout(timer)
    }
  }

  const device = (of = own) => new TestDevice(stack.gatewayUrls[0] ?? '', of, of.project)
  const of = (serial: string) => [...read.values()].filter(({ device_serial }) => device_serial === serial)
  const contents = (serial: string) =>
    of(serial).flatMap((data) =>
      data.kind === 'chunk' ? Buffer.from(data.data ?? '', 'base64').toString() : [],
    )
  const stored = async (serial: string) =>
    (await new StoredStream(connection, DEVICE_DATA_STREAM).subjects())
      .filter((subject) => subject.split('.').at(-2) === serial)
      .map((subject) => subject.split('.').at(-1))

  it('has what a device has sent: chunks, files, and that it was seen for the first time', async () => {
    const one = device()
    await one.send(
      'first',
      ['Content-Type: application/octet-stream'],
      `/api/v0/chunks/${one.serial}?software_version=1.2`,
    )
    await one.send('second')
    const target = {
      ...{ gateway: stack.gatewayUrls[0] ?? '', project: '' },
      credential: { kind: 'project_key', key: own.project.key } as const,
    }
    const prepared = await prepare(target)
    await put(prepared, Buffer.from('a coredump'))
    const committed = await commit(target, '/api/v0/upload/coredump', {
      file: { token: prepared.token },
      device: {
        device_serial: one.serial,
        hardware_version: 'a',
        software_type: 'b',
        software_version: '1.2',
      },
    })
    expect(committed.status).toBe(202)
    await eventually(() => {
      expect(contents(one.serial).toSorted()).toEqual(['first', 'second'])
      expect(
        of(one.serial)
          .map(({ kind }) => kind)
          .toSorted(),
      ).toEqual(['chunk', 'chunk', 'file', 'first-seen'])
    })
    const all = of(one.serial)
    expect(all.find(({ kind }) => kind === 'first-seen')).toMatchObject({
      ...{ organization_id: own.id, project_id: own.project.id },
      device: { software_version: '1.2' },
    })
    expect(all.find(({ kind }) => kind === 'file')).toMatchObject({ file: { kind: 'coredump', size: 10 } })
    const chunk = all.find((data) => data.kind === 'chunk')
    expect(chunk?.credential_id).toMatch(/^[0-9a-f-]{36}$/)
    expect((await own.token.client.listAll('listChunks', one.address)).map(({ id }) => id)).toContain(
      chunk?.id,
    )
  })

  it('names a chunk that is too large for it, and has its size', async () => {
    const one = device()
    await one.send(randomBytes(100_000))
    await eventually(() => {
      expect(of(one.serial)).toContainEqual(
        expect.objectContaining({ kind: 'chunk', size: 100_000, data: null }),
      )
    })
  })

  it('has nothing of another organization for a consumer of one', async () => {
    const other = await newOrganization(stack)
    const [ours, theirs] = [device(), device(other)]
    await theirs.send('theirs')
    await ours.send('ours')
    await eventually(() => {
      expect(contents(ours.serial)).toEqual(['ours'])
    })
    expect(new Set([...read.values()].map(({ organization_id }) => organization_id))).toEqual(
      new Set([own.id]),
    )
  })

  it('has nothing of a device that was deleted but that it was', async () => {
    const one = device()
    await one.send('gone')
    await eventually(() => {
      expect(contents(one.serial)).toEqual(['gone'])
    })
    await own.token.client.call('deleteDevice', one.address)
    await eventually(async () => {
      expect(await stored(one.serial)).toEqual(['deleted'])
      expect(of(one.serial).map(({ kind }) => kind)).toContain('deleted')
    })
  })

  it('has nothing of a project that was erased', async () => {
    const { admin, slug: organization } = own
    const project = await admin.client.call('createProject', { organization, name: 'Erased' })
    const { api_key: key } = await admin.client.call('showProjectKey', {
      organization,
      project: project.slug,
    })
    const one = new TestDevice(stack.gatewayUrls[0] ?? '', own, { slug: project.slug, key })
    await one.send('gone')
    await eventually(() => {
      expect(contents(one.serial)).toEqual(['gone'])
    })
    const named = { organization, project_slug: project.slug }
    await admin.client.call('deleteProject', named)
    await admin.client.call('eraseProject', { ...named, slug: project.slug })
    await eventually(
      async () => {
        expect(await stored(one.serial)).toEqual([])
      },
      { withinMs: RECOVERED_MS },
    )
  })

  it('misses nothing that was acknowledged, whichever process is killed', async () => {
    const devices = Array.from({ length: 8 }, () => device())
    const acknowledged = new Map(devices.map(({ serial }) => [serial, [] as string[]]))
    let isOver = false
    const sending = devices.map(async (one) => {
      for (let number = 0; !isOver; number++) {
        const body = `${one.serial} ${String(number)}`
        const reply = await one.send(body).catch(() => undefined)
        if (reply?.status === 202) acknowledged.get(one.serial)?.push(body)
        else await new Promise((resolve) => setTimeout(resolve, 50))
      }
    })
    for (const name of ['management', 'gateway-1', 'nats', 'management']) {
      await new Promise((resolve) => setTimeout(resolve, 1_000))
      await stack.part(name).kill()
      await stack.part(name).start()
    }
    isOver = true
    await Promise.all(sending)
    await eventually(
      () => {
        for (const [serial, bodies] of acknowledged) {
          expect(bodies.length).toBeGreaterThan(0)
          expect(contents(serial)).toEqual(expect.arrayContaining(bodies))
        }
      },
      { withinMs: RECOVERED_MS, everyMs: 500 },
    )
  })
})
