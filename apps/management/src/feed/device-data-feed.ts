import {
  DeviceData,
  deviceDataSubject,
  type DeviceDataScope,
} from '@bearing/contracts/management/data/device-data'
import { OperationError } from '@bearing/contracts/errors'
import { DEVICE_DATA_STREAM } from '@bearing/contracts/nats/streams'
import { Connection } from '@bearing/nats/connection'
import { MessageStore, type StoredMessage } from '@bearing/nats/message-store'
import { StoredStream } from '@bearing/nats/stored-stream'
import { recordEvent } from '@bearing/service/store/transactions'
import { Injectable } from '@nestjs/common'
import type { Transaction } from '../ground/database.js'

/** Less than a transaction may take: it publishes before it commits. */
const PUBLISH_MS = 3_000

/** Data without an id, by kind. */
type NewDeviceData = DeviceData extends infer One ? (One extends DeviceData ? Omit<One, 'id'> : never) : never

/** The stream of what devices send, for internal services. */
@Injectable()
export class DeviceDataFeed {
  private readonly store: MessageStore
  private readonly stream: StoredStream

  constructor(connection: Connection) {
    this.store = new MessageStore(connection)
    this.stream = new StoredStream(connection, DEVICE_DATA_STREAM)
  }

  /**
   * Stores data in the stream. Within two minutes the same id is not stored again.
   *
   * @throws OperationError `service_unavailable` where NATS has not stored all of it within 3 s
   */
  async publish(all: readonly DeviceData[]): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(notInTime()), PUBLISH_MS)
    })
    try {
      await Promise.race([Promise.all(all.map((data) => this.store.store(toMessage(data)))), late])
    } finally {
      clearTimeout(timer)
    }
  }

  /** Returns how much data there is. @throws where NATS is not there */
  count(scope: DeviceDataScope): Promise<number> {
    return this.stream.count(deviceDataSubject(scope))
  }

  /** Returns the number of the last message. @throws where NATS is not there */
  async end(): Promise<number> {
    return (await this.stream.end()).number
  }

  /** Returns when the stream was created. @throws where NATS is not there */
  async startedAt(): Promise<Date> {
    return (await this.stream.end()).startedAt
  }

  /**
   * Deletes data.
   *
   * @param until number of the last message that is deleted (default: all)
   * @throws where NATS is not there
   */
  erase(scope: DeviceDataScope, until?: number): Promise<void> {
    return this.stream.purge(deviceDataSubject(scope), until)
  }
}

/** Deletes data that was recorded and is not in the stream yet. */
export async function eraseRecorded(
  transaction: Pick<Transaction, '$executeRaw'>,
  scope: DeviceDataScope,
): Promise<void> {
  const subject = deviceDataSubject(scope)
  const prefix = subject.slice(0, subject.indexOf('*'))
  await transaction.$executeRaw`DELETE FROM outbox WHERE starts_with(subject, ${prefix})`
}

/** Records data in the transaction that stores it: the outbox puts it into the stream after the commit. */
export function recordDeviceData(transaction: Transaction, data: NewDeviceData): void {
  recordEvent(transaction, { subject: deviceDataSubject(data), data: DeviceData }, data)
}

function toMessage(data: DeviceData): StoredMessage {
  const body = Buffer.from(JSON.stringify(data))
  return { subject: deviceDataSubject(data), id: data.id, body, headers: {} }
}

function notInTime(): OperationError {
  return new OperationError('service_unavailable', 'The stream of device data did not store it in time.', {
    retry_after: 1,
  })
}
