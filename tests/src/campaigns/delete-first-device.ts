import { DEVICE_DATA_STREAM } from '@bearing/contracts/nats/streams'
import { connectNats } from '@bearing/nats/connection'
import { StoredStream } from '@bearing/nats/stored-stream'
import { eventually } from '@bearing/testing/eventually'
import type { TestOrganization } from '@bearing/testing/factories'
import type { Stack } from '@bearing/testing/stack'
import { TestDevice } from '../tools/device-data.js'

/**
 * Deletes the device that the stream of device data begins with, and kills NATS, which has not written that down yet.
 *
 * @returns the faults
 */
export async function deleteFirstDevice(stack: Stack, organization: TestOrganization): Promise<string[]> {
  const device = new TestDevice(stack.gatewayUrls[0] ?? '', organization, organization.project)
  await device.send('gone')
  await device.stored(1)
  const connection = await connectNats({ url: stack.natsUrl, name: 'test' })
  const stream = new StoredStream(connection, DEVICE_DATA_STREAM)
  const kinds = async () =>
    (await stream.subjects())
      .filter((subject) => subject.includes(device.serial))
      .map((subject) => subject.split('.').at(-1))
  await eventually(async () => {
    if (!(await kinds()).includes('chunk')) throw new Error('the chunk is not in the stream yet')
  })
  await organization.token.client.call('deleteDevice', device.address)
  await stack.part('nats').kill()
  await stack.part('nats').start()
  try {
    await eventually(
      async () => {
        const left = await kinds()
        if (left.join() !== 'deleted')
          throw new Error(`the stream has of a deleted device: ${left.join(', ')}`)
      },
      { withinMs: 20_000 },
    )
  } catch (error) {
    return [String(error)]
  } finally {
    await connection.drain()
  }
  return []
}
