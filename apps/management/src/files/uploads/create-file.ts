import type { File, FileKind } from '@bearing/contracts/management/data/file'
import { isOfDevice, type Principal } from '@bearing/contracts/principal'
import { Clock } from '@bearing/service/ground/clock'
import { Randomness } from '@bearing/service/ground/randomness'
import { Injectable } from '@nestjs/common'
import type { z } from 'zod'
import type { Prisma } from '../../generated/prisma/client.js'
import { recordDeviceData } from '../../feed/device-data-feed.js'
import type { Transaction } from '../../ground/database.js'
import { ProjectHours, hourOf } from '../../ground/project-hours.js'
import { recordAudit } from '../../ground/record-audit.js'
import { EnqueueDeliveries } from '../../webhooks/enqueue-deliveries.js'
import { SHOWN, toFile, type FileRow } from '../file-row.js'
import { attributeColumns } from '../rules/attribute-columns.js'
import { deviceSerialOf } from '../rules/commit-meaning.js'
import { RecordDevice } from './record-device.js'

export interface NewFile {
  readonly uploadId: string
  readonly organizationId: string
  readonly projectId: string
  readonly kind: FileKind
  readonly meaning: string
  readonly attributes: Record<string, unknown>
  readonly name: string | null
  readonly gnuBuildId: string | null
  /** Bytes that count for the storage quota, besides the content. */
  readonly chargedBytes: number
}

/** Kinds of files that webhooks are notified of. */
const COREDUMPS: readonly FileKind[] = ['coredump', 'elf_coredump']

/** Creates a file of received content. */
@Injectable()
export class CreateFile {
  constructor(
    private readonly clock: Clock,
    private readonly randomness: Randomness,
    private readonly devices: RecordDevice,
    private readonly deliveries: EnqueueDeliveries,
  ) {}

  /** Records the device that the file is from, and an audit event, except for files from devices. */
  async execute(
    transaction: Transaction,
    file: NewFile,
    objectId: string,
    by: Principal,
  ): Promise<z.output<typeof File>> {
    const { uploadId: _, attributes, ...columns } = file
    const read = attributeColumns(attributes)
    const deviceSerial = deviceSerialOf(attributes)
    const created = await transaction.storedFile.create({
      data: {
        ...columns,
        ...read,
        id: this.randomness.newId(),
        objectId,
        attributes: attributes as Prisma.InputJsonObject, // parsed from JSON
        deviceSerial,
        createdAt: this.clock.now(),
        createdBy: credentialOf(by),
      },
      select: SHOWN,
    })
    if (!isOfDevice(by))
      recordAudit(transaction, by, {
        action: 'file.created',
        target: ['file', created.id],
        organizationId: file.organizationId,
        details: { project_id: file.projectId, kind: file.kind, size: Number(created.object.size) },
      })
    const hours = new ProjectHours()
    const counts = hours.of(file.projectId, hourOf(created.createdAt))
    counts.files++
    counts.file_bytes += Number(created.object.size)
    if (file.kind !== 'symbols' && deviceSerial !== null) {
      const sender = { projectId: file.projectId, serial: deviceSerial, ...read }
      await this.devices.execute(transaction, sender, hours)
      recordFile(transaction, file, created, { serial: deviceSerial, by })
    }
    await hours.write(transaction)
    await this.notify(transaction, file, created)
    return toFile(created)
  }

  private async notify(
    transaction: Transaction,
    { kind, projectId }: NewFile,
    created: FileRow,
  ): Promise<void> {
    if (!COREDUMPS.includes(kind)) return
    const { id, size, sha256, device_serial } = toFile(created)
    const data = { device_serial, file: { id, kind, size, sha256 } }
    const event = {
      id,
      type: 'coredump.uploaded' as const,
      projectId,
      deviceSerial: device_serial,
      at: created.createdAt,
      data,
    }
    await this.deliveries.execute(transaction, [event])
  }
}

function recordFile(
  transaction: Transaction,
  { organizationId, projectId }: NewFile,
  row: FileRow,
  { serial, by }: { readonly serial: string; readonly by: Principal },
): void {
  const { id, kind, size, sha256 } = toFile(row)
  recordDeviceData(transaction, {
    kind: 'file',
    organization_id: organizationId,
    project_id: projectId,
    device_serial: serial,
    at: row.createdAt.toISOString(),
    file: { id, kind, size, sha256 },
    credential_id: credentialOf(by),
  })
}

function credentialOf(by: Principal): string | null {
  return 'credential_id' in by ? by.credential_id : null
}
