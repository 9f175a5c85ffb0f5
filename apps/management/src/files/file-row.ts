import type { File, FileKind } from '@bearing/contracts/management/file'
import type { z } from 'zod'

/** What of a row is shown. */
export const SHOWN = {
  id: true,
  kind: true,
  name: true,
  deviceSerial: true,
  gnuBuildId: true,
  createdAt: true,
  object: { select: { size: true, sha256: true } },
} as const

interface Row {
  readonly id: string
  readonly kind: string
  readonly name: string | null
  readonly deviceSerial: string | null
  readonly gnuBuildId: string | null
  readonly createdAt: Date
  readonly object: { readonly size: bigint | null; readonly sha256: string | null }
}

/** A file as operations return it. Its object is complete, or there would be no file. */
export function toFile(row: Row): z.output<typeof File> {
  return {
    id: row.id,
    kind: row.kind as FileKind, // written by commits alone
    name: row.name,
    size: Number(row.object.size),
    sha256: row.object.sha256 ?? '',
    device_serial: row.deviceSerial,
    gnu_build_id: row.gnuBuildId,
    created_at: row.createdAt.toISOString(),
  }
}
