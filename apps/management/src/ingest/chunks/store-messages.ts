import { chunkId } from '@bearing/contracts/management/data/chunk-message'
import { MAX_INLINE_BYTES, type DeviceData } from '@bearing/contracts/management/data/device-data'
import { Clock } from '@bearing/service/ground/clock'
import { Randomness } from '@bearing/service/ground/randomness'
import { Injectable } from '@nestjs/common'
import { DeviceDataFeed } from '../../feed/device-data-feed.js'
import { Database, type Transaction } from '../../ground/database.js'
import { deviceKey } from '../../ground/device-key.js'
import { lockDeletions } from '../../ground/locks.js'
import { ProjectHours } from '../../ground/project-hours.js'
import { enqueueFirstSeen } from '../devices/enqueue-first-seen.js'
import { EnqueueDeliveries } from '../../webhooks/enqueue-deliveries.js'
import { ChunkPayloads } from '../../storage/payloads/chunk-payloads.js'
import { OrganizationLimits } from '../../tenancy/organizations/organization-limits.js'
import { createDevices } from './create-devices.js'
import { TooManyDevices, UnknownDevice, type DeviceMessage } from './decode-message.js'
import { withoutDeleted } from './without-deleted.js'
import { addUsage, insertChunks, updateDevices, type NewChunks } from './write-chunks.js'

/** A message that was not stored. */
export interface LeftOut {
  readonly message: DeviceMessage
  readonly reason: UnknownDevice | TooManyDevices
}

interface LockedDevice {
  readonly id: string
  readonly project_id: string
  readonly serial: string
  readonly last_seen_at: Date | null
  readonly unseen: boolean
}

const UNKNOWN = new UnknownDevice()
const TOO_MANY = new TooManyDevices()

/** Stores messages of devices. */
@Injectable()
export class StoreMessages {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
    private readonly deliveries: EnqueueDeliveries,
    private readonly limits: OrganizationLimits,
    private readonly feed: DeviceDataFeed,
    private readonly payloads: ChunkPayloads,
  ) {}

  /**
   * Stores messages, all or none, and puts them into the stream of device data. Duplicates change nothing, and messages of a device
   * that was deleted since are dropped. An unknown device is created, unless its project accepts only known devices or its
   * organization has too many.
   *
   * @returns the messages whose device was not created
   * @throws if Postgres or NATS is unavailable, or Postgres rejects one of the messages, without saying which
   */
  async execute(messages: readonly DeviceMessage[]): Promise<readonly LeftOut[]> {
    const written = await this.payloads.write(messages)
    return this.database.transaction(async (transaction) => {
      const projects = messages.map(({ projectId }) => projectId)
      await lockDeletions(transaction, 'shared', projects)
      const kept = await withoutDeleted(transaction, messages)
      if (kept.length === 0) return []
      const { devices, unseen, tooMany } = await this.lockDevices(transaction, kept)
      const deviceOf = (message: DeviceMessage) => devices.get(deviceKey(message))?.id ?? ''
      const known = kept.filter((message) => devices.has(deviceKey(message)))
      const stored = await insertChunks(
        transaction,
        known,
        deviceOf,
        await this.payloads.claim(transaction, written),
      )
      await updateDevices(transaction, known, deviceOf, stored)
      const hours = this.hoursOf(known, devices, stored)
      await addUsage(transaction, hours.list())
      await hours.write(transaction)
      await enqueueFirstSeen(transaction, this.deliveries, unseen)
      // Last, while the lock keeps deletions waiting: what is in the stream when they purge it is all that comes.
      await this.feed.publish(known.flatMap(toDeviceData))
      return kept
        .filter((message) => !devices.has(deviceKey(message)))
        .map((message) => ({
          message,
          reason: tooMany.has(deviceKey(message)) ? TOO_MANY : UNKNOWN,
        }))
    })
  }

  /** Returns what the messages add to the hours of their projects. */
  private hoursOf(
    messages: readonly DeviceMessage[],
    devices: ReadonlyMap<string, LockedDevice>,
    stored: readonly NewChunks[],
  ): ProjectHours {
    const hours = new ProjectHours()
    const inOrder = messages.toSorted((a, b) => a.receivedAt.getTime() - b.receivedAt.getTime())
    for (const [key, ofDevice] of Map.groupBy(inOrder, deviceKey)) {
      const { project_id = '', last_seen_at = null } = devices.get(key) ?? {}
      const received = ofDevice.map(({ receivedAt }) => receivedAt)
      hours.seen(project_id, last_seen_at, received)
    }
    const projects = new Map([...devices.values()].map(({ id, project_id }) => [id, project_id]))
    for (const { device_id, hour, count, bytes } of stored) {
      const counts = hours.of(projects.get(device_id) ?? '', hour)
      counts.chunks += count
      counts.chunk_bytes += bytes
    }
    return hours
  }

  /** Creates unknown devices, locks all devices, and returns them and the ids of those never seen before. */
  private async lockDevices(
    transaction: Transaction,
    messages: readonly DeviceMessage[],
  ): Promise<{ devices: Map<string, LockedDevice>; unseen: string[]; tooMany: ReadonlySet<string> }> {
    const wanted = [...new Map(messages.map((message) => [deviceKey(message), message]))]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, message]) => message)
    const projects = wanted.map(({ projectId }) => projectId)
    const serials = wanted.map(({ serial }) => serial)
    const tooMany = await createDevices(transaction, wanted, {
      now: this.clock.now(),
      newId: () => this.randomness.newId(),
      limit: this.limits.devices,
    })
    const rows = await transaction.$queryRaw<LockedDevice[]>`
      SELECT device.id, device.project_id, device.serial, device.last_seen_at, device.first_seen_at IS NULL AS unseen
      FROM unnest(${projects}::uuid[], ${serials}::text[]) AS sender (project_id, serial)
      JOIN devices device USING (project_id, serial)
      ORDER BY device.id
      FOR NO KEY UPDATE OF device`
    return {
      devices: new Map(
        rows.map((device) => [deviceKey({ projectId: device.project_id, serial: device.serial }), device]),
      ),
      unseen: rows.filter(({ unseen }) => unseen).map(({ id }) => id),
      tooMany,
    }
  }
}

function toDeviceData(message: DeviceMessage): DeviceData[] {
  let offset = 0
  return message.lengths.map((size, part) => {
    const bytes = message.body.subarray(offset, (offset += size))
    return {
      kind: 'chunk',
      id: chunkId(message.id, part),
      organization_id: message.organizationId,
      project_id: message.projectId,
      device_serial: message.serial,
      at: message.receivedAt.toISOString(),
      size,
      data: size > MAX_INLINE_BYTES ? null : Buffer.from(bytes).toString('base64'),
      credential_id: message.credentialId ?? null,
    }
  })
}
