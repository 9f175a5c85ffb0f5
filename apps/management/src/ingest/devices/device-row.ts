import { OperationError } from '@bearing/contracts/errors'
import type { Device } from '@bearing/contracts/management/devices/device'
import type { z } from 'zod'
import type { Database, Transaction } from '../../ground/database.js'
import { readAttributes, type Attributes } from './attributes/read-attributes.js'

/** Columns that operations return. */
export const SHOWN = {
  id: true,
  serial: true,
  hardwareVersion: true,
  softwareType: true,
  softwareVersion: true,
  firstSeenAt: true,
  lastSeenAt: true,
  chunkCount: true,
  chunkBytes: true,
  registeredAt: true,
  sampling: true,
  nickname: true,
} as const

export interface DeviceRow {
  readonly id: string
  readonly serial: string
  readonly hardwareVersion: string | null
  readonly softwareType: string | null
  readonly softwareVersion: string | null
  readonly firstSeenAt: Date | null
  readonly lastSeenAt: Date | null
  readonly chunkCount: bigint
  readonly chunkBytes: bigint
  readonly registeredAt: Date | null
  readonly sampling: unknown
  readonly nickname: string | null
}

/** Converts a row for replies. @param attributes undefined: the reply has none */
export function toDevice(row: DeviceRow, attributes?: Attributes): z.output<typeof Device> {
  return {
    id: row.id,
    device_serial: row.serial,
    hardware_version: row.hardwareVersion,
    software_type: row.softwareType,
    software_version: row.softwareVersion,
    first_seen_at: row.firstSeenAt?.toISOString() ?? null,
    last_seen_at: row.lastSeenAt?.toISOString() ?? null,
    chunk_count: Number(row.chunkCount),
    chunk_bytes: Number(row.chunkBytes),
    registered_at: row.registeredAt?.toISOString() ?? null,
    sampling: row.sampling as z.output<typeof Device>['sampling'], // written by set-device-sampling alone
    nickname: row.nickname,
    ...(attributes && { attributes }),
  }
}

/** A device of a project. The permission was checked for this organization, so the project must belong to it. */
export interface DeviceScope {
  readonly organization_id: string
  readonly project_id: string
  readonly device_serial: string
}

/**
 * Returns a device.
 *
 * @throws OperationError `device_not_found`
 */
export async function findDevice(
  database: Database | Transaction,
  { organization_id, project_id, device_serial }: DeviceScope,
): Promise<DeviceRow> {
  const row = await database.device.findFirst({
    where: { projectId: project_id, serial: device_serial, project: { organizationId: organization_id } },
    select: SHOWN,
  })
  if (!row) throw deviceNotFound()
  return row
}

/** Returns a device of a project with its attributes, for replies. */
export async function showWithAttributes(
  database: Database | Transaction,
  projectId: string,
  row: DeviceRow,
): Promise<z.output<typeof Device>> {
  return toDevice(row, (await readAttributes(database, projectId, [row])).get(row.id) ?? {})
}

export function deviceNotFound(): OperationError {
  return new OperationError(
    'device_not_found',
    'The project has no such device: it has sent nothing and was not registered, or it was deleted. Check the serial number.',
  )
}
