import { DeviceFacts } from '@bearing/contracts/management/devices/device'
import { Clock } from '@bearing/service/ground/clock'
import { Randomness } from '@bearing/service/ground/randomness'
import { Injectable } from '@nestjs/common'
import { z } from 'zod'
import type { Transaction } from '../../ground/database.js'
import type { ProjectHours } from '../../ground/project-hours.js'
import { createDevices } from '../../ingest/chunks/create-devices.js'
import { enqueueFirstSeen } from '../../ingest/devices/enqueue-first-seen.js'
import { OrganizationLimits } from '../../tenancy/organizations/organization-limits.js'
import { EnqueueDeliveries } from '../../webhooks/enqueue-deliveries.js'
import type { AttributeColumns } from '../rules/attribute-columns.js'

/** The device that a file is from. */
interface Sender extends Pick<AttributeColumns, 'hardwareVersion' | 'softwareType' | 'softwareVersion'> {
  readonly projectId: string
  readonly serial: string
}

/** A version that devices cannot have is not stored with the device. */
const Facts = z.object({
  hardware_version: DeviceFacts.hardware_version.catch(undefined),
  software_type: DeviceFacts.software_type.catch(undefined),
  software_version: DeviceFacts.software_version.catch(undefined),
})

/** Records that a device has sent a file, as the consumer of chunks does. */
@Injectable()
export class RecordDevice {
  constructor(
    private readonly clock: Clock,
    private readonly randomness: Randomness,
    private readonly limits: OrganizationLimits,
    private readonly deliveries: EnqueueDeliveries,
  ) {}

  /**
   * Creates the device if it is new, unless its project accepts only known devices or its organization has too many. The
   * file is stored in any case.
   */
  async execute(transaction: Transaction, sender: Sender, hours: ProjectHours): Promise<void> {
    const now = this.clock.now()
    const newId = () => this.randomness.newId()
    await createDevices(transaction, [sender], { now, newId, limit: this.limits.devices })
    const { projectId, serial } = sender
    const [device] = await transaction.$queryRaw<
      { id: string; last_seen_at: Date | null; unseen: boolean }[]
    >`
      SELECT id, last_seen_at, first_seen_at IS NULL AS unseen FROM devices
      WHERE project_id = ${projectId}::uuid AND serial = ${serial} FOR NO KEY UPDATE`
    if (!device) return
    hours.seen(projectId, device.last_seen_at, [now])
    const facts = Facts.parse({
      hardware_version: sender.hardwareVersion ?? undefined,
      software_type: sender.softwareType ?? undefined,
      software_version: sender.softwareVersion ?? undefined,
    })
    await transaction.$executeRaw`
      UPDATE devices
      SET first_seen_at = least(first_seen_at, ${now}::timestamptz),
          last_seen_at = greatest(last_seen_at, ${now}::timestamptz),
          hardware_version = coalesce(${facts.hardware_version ?? null}, hardware_version),
          software_type = coalesce(${facts.software_type ?? null}, software_type),
          software_version = coalesce(${facts.software_version ?? null}, software_version)
      WHERE id = ${device.id}::uuid`
    if (device.unseen) await enqueueFirstSeen(transaction, this.deliveries, [device.id])
  }
}
