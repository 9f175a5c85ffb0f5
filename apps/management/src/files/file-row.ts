import type { File, FileKind } from '@bearing/contracts/management/data/file'
import type { z } from 'zod'
import type { AttributeColumns } from './rules/attribute-columns.js'

/** Columns that operations return. */
export const SHOWN = {
  id: true,
  kind: true,
  name: true,
  deviceSerial: true,
  gnuBuildId: true,
  hardwareVersion: true,
  softwareType: true,
  softwareVersion: true,
  startTime: true,
  durationSecs: true,
  mimeTypes: true,
  reason: true,
  createdAt: true,
  object: { select: { size: true, sha256: true } },
} as const

export interface FileRow extends AttributeColumns {
  readonly id: string
  readonly kind: string
  readonly name: string | null
  readonly deviceSerial: string | null
  readonly gnuBuildId: string | null
  readonly createdAt: Date
  readonly object: { readonly size: bigint | null; readonly sha256: string | null }
}

/** Converts a row for replies. The object of a file is always complete. */
export function toFile(row: FileRow): z.output<typeof File> {
  return {
    id: row.id,
    kind: row.kind as FileKind, // written only by commits
    name: row.name,
    size: Number(row.object.size),
    sha256: row.object.sha256 ?? '',
    device_serial: row.deviceSerial,
    gnu_build_id: row.gnuBuildId,
    hardware_version: row.hardwareVersion,
    software_type: row.softwareType,
    software_version: row.softwareVersion,
    start_time: row.startTime,
    duration_secs: row.durationSecs,
    mimetypes: row.mimeTypes,
    reason: row.reason,
    created_at: row.createdAt.toISOString(),
  }
}
