import { randomUUID } from 'node:crypto'
import { forSuite } from '@bearing/testing/for-suite'
import { expect, it } from '@jest/globals'
import { deviceKnownChanged } from '@bearing/contracts/management/devices/device'
import { onEvent } from '@bearing/nats/events'
import { recordEvent } from '@bearing/service/store/transactions'
import { eventually } from '@bearing/testing/eventually'
import { TestManagement } from '../testing/test-management.js'

const management = forSuite(() => TestManagement.connect())

it('an event is published by the running service if the process that committed it does not publish it', async () => {
  const device_serial = randomUUID()
  const received: string[] = []
  onEvent(
    management.connection,
    deviceKnownChanged,
    (data) => received.push(data.device_serial),
    () => undefined,
  )
  await management.connection.raw.flush()
  await management.database.transaction((transaction) => {
    recordEvent(transaction, deviceKnownChanged, { project_id: randomUUID(), device_serial })
    return Promise.resolve()
  })
  await eventually(() => expect(received).toContain(device_serial))
})
