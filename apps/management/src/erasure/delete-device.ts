import { deleteDevice } from '@bearing/contracts/management/device'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { CHUNK_STREAM } from '@bearing/contracts/streams'
import { NatsClient } from '@bearing/nats/client'
import { Handle } from '@bearing/nats/handle'
import { TendedStream } from '@bearing/nats/tended-stream'
import { Clock } from '@bearing/service/clock'
import { OutboxRelay } from '@bearing/service/outbox-relay'
import { Randomness } from '@bearing/service/randomness'
import { Controller } from '@nestjs/common'
import { AuditLog } from '../ground/audit/audit-log.js'
import { Connection } from '@bearing/nats/connection'
import { Database, type Transaction } from '../ground/database.js'
import { DeadLetterStream } from '../ingest/dead-letters/dead-letter-stream.js'
import { deletePositions, type DeletedPositions } from './delete-positions.js'
import { lockDeletions } from '../ground/locks.js'
import { deviceNotFound } from '../ingest/devices/device-row.js'
import { writeEvent } from '../ground/write-event.js'
import { knownChanged } from '../ingest/devices/known-changed.js'
import { removeFiles } from '../files/remove-files.js'
import { lockCommits } from '../files/uploads/commit-lock.js'
import { deleteDeliveries } from '../webhooks/delete-deliveries.js'
import { lockOrganizations } from '../tenancy/organizations/organization-limits.js'

/** Chunks that go at once while what the device sends is still being stored. */
const BATCH = 2_000

/** What was deleted so far. */
interface Deleted {
  readonly chunks: number
  readonly bytes: number
}

/** All that was deleted. */
interface Gone extends Deleted {
  readonly files: number
  readonly dead_letters: number
  readonly positions: DeletedPositions
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
    private readonly randomness: Randomness,
    private readonly relay: OutboxRelay,
    private readonly location: NatsClient,
  ) {
    this.queue = new TendedStream(connection, CHUNK_STREAM)
  }

  /**
   * Where it was and most of its chunks first, in pieces; then, in one transaction that nothing is stored beside, what is
   * left, the device and the word that what is still on its way does not count. A crash in between leaves a device with less
   * in it, to be deleted again. Positions are looked for once more at the end: until then it was the same device.
   *
   * There need not be a device: files, positions and dead letters may be all that there is of a serial number.
   */
  @Handle(deleteDevice)
  async execute(input: Input<typeof deleteDevice>, by: Principal): Promise<Output<typeof deleteDevice>> {
    const { organization_id, project_id, device_serial } = input
    const project = { id: project_id, organizationId: organization_id }
    if (!(await this.database.project.findUnique({ where: project, select: { id: true } })))
      throw deviceNotFound()
    const first = await deletePositions(this.location, input)
    const letters = await this.deleteDeadLetters(input)
    const before = await this.deleteChunks(input)
    const deletedAt = this.clock.now()
    const event = knownChanged(this.randomness.newId(), project_id, device_serial)
    const { id, ...deleted } = await this.database.transaction(async (transaction) => {
      const rest = await this.deleteRest(transaction, input, deletedAt)
      const all = { chunks: before.chunks + rest.chunks, bytes: before.bytes + rest.bytes, files: rest.files }
      if (rest.id === undefined && all.chunks + all.files + letters + first.deleted === 0)
        throw deviceNotFound()
      await this.audit.record(transaction, by, {
        action: 'device.deleted',
        target: ['device', rest.id ?? device_serial],
        organizationId: organization_id,
        details: { project_id, device_serial, ...all, positions: first.deleted },
      })
      await writeEvent(transaction, event, deletedAt)
      return { id: rest.id, ...all }
    })
    await this.relay.published([event])
    // What became a dead letter meanwhile.
    const dead = letters + (await this.deleteDeadLetters(input))
    const second = await deletePositions(this.location, input)
    const positions = { deleted: first.deleted + second.deleted, left: second.left }
    return this.proof(input, deletedAt, id, { ...deleted, dead_letters: dead, positions })
  }

  /** All that there is in Postgres, of which nothing is stored meanwhile. What comes later is of a new device. */
  private async deleteRest(
    transaction: Transaction,
    {
      organization_id: organizationId,
      project_id: projectId,
      device_serial: serial,
    }: Input<typeof deleteDevice>,
    deletedAt: Date,
  ): Promise<Deleted & { readonly id: string | undefined; readonly files: number }> {
    await lockDeletions(transaction, 'exclusive', [projectId])
    const end = await this.queue.end()
    const place = { projectId, serial }
    const device = await transaction.device.findUnique({
      where: { projectId_serial: place },
      select: { id: true },
    })
    const rest = await deleteSome(transaction, place, 2 ** 31 - 1)
    await lockCommits(transaction, projectId)
    const files = await transaction.storedFile.findMany({
      where: { projectId, deviceSerial: serial },
      select: { id: true },
    })
    const gone = await removeFiles(
      transaction,
      files.map(({ id }) => id),
    )
    await deleteDeliveries(transaction, projectId, serial)
    // Before the device, as whoever registers it does.
    await lockOrganizations(transaction, [organizationId])
    const told = { streamStartedAt: end.startedAt, sequence: end.number, deletedAt }
    await transaction.deviceDeletion.upsert({
      where: { projectId_serial: place },
      create: { ...place, ...told },
      update: told,
    })
    await transaction.device.deleteMany({ where: place })
    return { ...rest, id: device?.id, files: gone }
  }

  private async proof(
    input: Input<typeof deleteDevice>,
    deletedAt: Date,
    id: string | undefined,
    { positions, ...deleted }: Gone,
  ): Promise<Output<typeof deleteDevice>> {
    const { project_id: projectId, device_serial: deviceSerial } = input
    return {
      device_serial: deviceSerial,
      deleted_at: deletedAt.toISOString(),
      deleted: { ...deleted, positions: positions.deleted },
      left: {
        devices: id === undefined ? 0 : await this.database.device.count({ where: { id } }),
        chunks: id === undefined ? 0 : await this.database.chunk.count({ where: { deviceId: id } }),
        files: await this.database.storedFile.count({ where: { projectId, deviceSerial } }),
        dead_letters: (await this.deadLetters.ofDevice(addressOf(input))).length,
        positions: positions.left,
      },
    }
  }

  private async deleteChunks(input: Input<typeof deleteDevice>): Promise<Deleted> {
    const place = { projectId: input.project_id, serial: input.device_serial }
    let all: Deleted = { chunks: 0, bytes: 0 }
    for (;;) {
      const some = await deleteSome(this.database, place, BATCH)
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
  { projectId, serial }: { readonly projectId: string; readonly serial: string },
  atMost: number,
): Promise<Deleted> {
  const [row] = await database.$queryRaw<{ chunks: bigint; bytes: bigint }[]>`
    WITH gone AS (
      DELETE FROM chunks WHERE id IN (
        SELECT id FROM chunks
        WHERE device_id = (SELECT id FROM devices WHERE project_id = ${projectId}::uuid AND serial = ${serial})
        LIMIT ${atMost}::integer
      )
      RETURNING size
    )
    SELECT count(*) AS chunks, coalesce(sum(size), 0)::bigint AS bytes FROM gone`
  return { chunks: Number(row?.chunks ?? 0), bytes: Number(row?.bytes ?? 0) }
}
