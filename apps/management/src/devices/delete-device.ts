import { deleteDevice } from '@bearing/contracts/management/device'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { CHUNK_STREAM } from '@bearing/contracts/streams'
import { Handle } from '@bearing/nats/handle'
import { TendedStream } from '@bearing/nats/tended-stream'
import { Clock } from '@bearing/service/clock'
import { Controller } from '@nestjs/common'
import { AuditLog } from '../audit/audit-log.js'
import { Connection } from '@bearing/nats/connection'
import { Database, type Transaction } from '../database.js'
import { DeadLetterStream } from '../dead-letters/dead-letter-stream.js'
import { deleteFiles } from './delete-files.js'
import { lockDeletions } from './deletion-lock.js'
import { findDevice } from './device-row.js'

/** Chunks that go at once while what the device sends is still being stored. */
const BATCH = 2_000

/** What was deleted so far. */
interface Deleted {
  readonly chunks: number
  readonly bytes: number
}

@Controller()
export class DeleteDevice {
  private readonly queue: TendedStream

  constructor(
    private readonly database: Database,
    connection: Connection,
    private readonly deadLetters: DeadLetterStream,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {
    this.queue = new TendedStream(connection, CHUNK_STREAM)
  }

  /**
   * Most of its chunks first, in pieces; then, in one transaction that nothing is stored beside, what is left, the device
   * and the word that what is still on its way does not count. A crash in between leaves a device with less in it, to be
   * deleted again.
   */
  @Handle(deleteDevice)
  async execute(input: Input<typeof deleteDevice>, by: Principal): Promise<Output<typeof deleteDevice>> {
    const { id } = await findDevice(this.database, input)
    const letters = await this.deleteDeadLetters(input)
    const before = await this.deleteChunks(id)
    const deletedAt = this.clock.now()
    const deleted = await this.database.$transaction(async (transaction) => {
      await lockDeletions(transaction, 'exclusive')
      // What comes later than this is of a new device.
      const end = await this.queue.end()
      const rest = await deleteSome(transaction, id, 2 ** 31 - 1)
      const files = await deleteFiles(transaction, input.project_id, input.device_serial)
      const all = { chunks: before.chunks + rest.chunks, bytes: before.bytes + rest.bytes, files }
      const place = { projectId: input.project_id, serial: input.device_serial }
      const told = { streamStartedAt: end.startedAt, sequence: end.number, deletedAt }
      await transaction.deviceDeletion.upsert({
        where: { projectId_serial: place },
        create: { ...place, ...told },
        update: told,
      })
      await transaction.device.deleteMany({ where: { id } })
      await this.audit.record(transaction, by, {
        action: 'device.deleted',
        target: ['device', id],
        organizationId: input.organization_id,
        details: { project_id: input.project_id, device_serial: input.device_serial, ...all },
      })
      return all
    })
    // What became a dead letter meanwhile.
    const dead = letters + (await this.deleteDeadLetters(input))
    return {
      device_serial: input.device_serial,
      deleted_at: deletedAt.toISOString(),
      deleted: { ...deleted, dead_letters: dead },
      left: {
        devices: await this.database.device.count({ where: { id } }),
        chunks: await this.database.chunk.count({ where: { deviceId: id } }),
        files: await this.database.storedFile.count({
          where: { projectId: input.project_id, deviceSerial: input.device_serial },
        }),
        dead_letters: (await this.deadLetters.ofDevice(addressOf(input))).length,
      },
    }
  }

  private async deleteChunks(deviceId: string): Promise<Deleted> {
    let all: Deleted = { chunks: 0, bytes: 0 }
    for (;;) {
      const some = await deleteSome(this.database, deviceId, BATCH)
      all = { chunks: all.chunks + some.chunks, bytes: all.bytes + some.bytes }
      if (some.chunks < BATCH) return all
    }
  }

  private async deleteDeadLetters(input: Input<typeof deleteDevice>): Promise<number> {
    const numbers = await this.deadLetters.ofDevice(addressOf(input))
    for (const number of numbers) await this.deadLetters.delete(number)
    return numbers.length
  }
}

function addressOf(input: Input<typeof deleteDevice>) {
  return {
    organizationId: input.organization_id,
    projectId: input.project_id,
    serial: input.device_serial,
  }
}

async function deleteSome(
  database: Database | Transaction,
  deviceId: string,
  atMost: number,
): Promise<Deleted> {
  const [row] = await database.$queryRaw<{ chunks: bigint; bytes: bigint }[]>`
    WITH gone AS (
      DELETE FROM chunks WHERE id IN (SELECT id FROM chunks WHERE device_id = ${deviceId}::uuid LIMIT ${atMost}::integer)
      RETURNING size
    )
    SELECT count(*) AS chunks, coalesce(sum(size), 0)::bigint AS bytes FROM gone`
  return { chunks: Number(row?.chunks ?? 0), bytes: Number(row?.bytes ?? 0) }
}
