import {
  DeviceData,
  deviceDataSubject,
  type DeviceDataScope,
} from '@bearing/contracts/management/data/device-data'
import { DEVICE_DATA_STREAM } from '@bearing/contracts/streams'
import { Connection } from '@bearing/nats/connection'
import { MessageStore } from '@bearing/nats/message-store'
import { StoredStream } from '@bearing/nats/stored-stream'
import { recordEvent } from '@bearing/service/store/transactions'
import { Injectable } from '@nestjs/common'
import type { Transaction } from '../ground/database.js'

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
   * @returns the number of the last one in the stream; 0 without data
   * @throws OperationError `service_unavailable` where NATS has not stored all of it
   */
  async publish(all: readonly DeviceData[]): Promise<number> {
    const numbers = await Promise.all(
      all.map((data) =>
        this.store.store({
          subject: deviceDataSubject(data),
          id: data.id,
          body: Buffer.from(JSON.stringify(data)),
          headers: {},
        }),
      ),
    )
    return numbers.reduce((last, number) => Math.max(last, number), 0)
  }

  /** Returns the number of the last message. @throws where NATS is not there */
  async end(): Promise<number> {
    return (await this.stream.end()).number
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

/** Records data in the transaction that stores it: the outbox puts it into the stream after the commit. */
export function recordDeviceData(transaction: Transaction, data: NewDeviceData): void {
  recordEvent(transaction, { subject: deviceDataSubject(data), data: DeviceData }, data)
}
