import type { File, FileKind } from '@bearing/contracts/management/file'
import type { z } from 'zod'

/** Columns that operations return. */
export const SHOWN = {
  id: true,
  kind: true,
  name: true,
  deviceSerial: true,
  gnuBuildId: true,
  createdAt: true,
  object: { select: { size: true, sha256: true } },
} as const

export interface FileRow {
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
    created_at: row.createdAt.toISOString(),
  }
}
