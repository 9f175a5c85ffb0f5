import { CHUNK_STREAM, chunkStream, type WorkStream } from '@bearing/contracts/nats/streams'
import { connectNats, type Connection } from '@bearing/nats/connection'
import { StoredStream } from '@bearing/nats/stored-stream'
import { eventually } from '@bearing/testing/eventually'
import {
  newOrganization,
  newProject,
  type TestOrganization,
  type TestProject,
} from '@bearing/testing/factories'
import { startStack, type Stack } from '@bearing/testing/stack'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { TestDevice } from '../tools/device-data.js'

const PARTITIONS = 8
const TYPE = 'Content-Type: application/octet-stream'

describe('the queue of chunks, with more partitions than before', () => {
  let stack: Stack
  let connection: Connection
  let own: TestOrganization
  /** A project whose chunks are in another partition after the change. */
  let project: TestProject
  let partition: WorkStream

  beforeAll(async () => {
    stack = await startStack({ gateways: 1 })
    own = await newOrganization(stack)
    do {
      project = await newProject(own)
      partition = chunkStream(project.id, PARTITIONS)
    } while (partition === CHUNK_STREAM)
    connection = await connectNats({ url: stack.natsUrl, name: 'test' })
  })

  afterAll(async () => {
    await connection.drain()
    await stack.stop()
  })

  const newDevice = () => new TestDevice(stack.gatewayUrls[0] ?? '', own, project)
  const waiting = async (stream: WorkStream, { serial }: TestDevice) =>
    new StoredStream(connection, stream).count(`${stream.subject}.*.*.${serial}`)

  it('stores a chunk once that is sent again after the change, and drains the former partition, in order', async () => {
    const [device, other] = [newDevice(), newDevice()]
    // While management is away the gateway applies the policy that it has read before.
    expect((await other.send('x')).status).toBe(202)
    await other.stored(1)
    await stack.part('management').stop()
    const send = async (body: string, headers: readonly string[] = [TYPE]) => {
      expect((await device.send(body, headers)).status).toBe(202)
    }
    await send('before')
    await send('repeated', [TYPE, 'Idempotency-Key: one'])
    await stack.replace('identity', { CHUNK_PARTITIONS: String(PARTITIONS) })
    // The gateway reads the number every two seconds.
    await eventually(async () => {
      expect((await other.send('x')).status).toBe(202)
      expect(await waiting(partition, other)).toBeGreaterThan(0)
    })
    await send('repeated', [TYPE, 'Idempotency-Key: one'])
    await send('after')
    // JetStream knows the id of a message in its own stream only: now the chunk is queued twice.
    expect([await waiting(CHUNK_STREAM, device), await waiting(partition, device)]).toEqual([2, 2])
    await stack.part('management').start()
    expect(await device.stored(3)).toEqual(['before', 'repeated', 'after'])
    await eventually(async () => {
      expect([await waiting(CHUNK_STREAM, device), await waiting(partition, device)]).toEqual([0, 0])
    })
    expect(await device.count(3)).toBe(3)
    expect(await stack.metrics('management')).toMatch(/^bearing_queue_entries\{queue="chunks"\} \d+$/m)
  })

  it('does not bring a deleted device back, and stores what it sends later', async () => {
    const device = newDevice()
    expect((await device.send('of the deleted device')).status).toBe(202)
    await device.stored(1)
    await own.admin.client.call('deleteDevice', device.address)
    expect((await device.send('of the new device')).status).toBe(202)
    expect(await device.stored(1)).toEqual(['of the new device'])
  })
})
