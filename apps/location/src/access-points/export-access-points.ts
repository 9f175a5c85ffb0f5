import { OperationError } from '@bearing/contracts/errors'
import { EXPORTED_ACCESS_POINTS, exportAccessPoints } from '@bearing/contracts/location/access-point'
import { formatMacAddress } from '@bearing/contracts/location/mac-address'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../database.js'

/** Entries of the primary key that are looked at for one part: those of other layers lie between ours. */
const SCANNED = 100_000

interface Row {
  readonly bssid: bigint
  readonly lat: number
  readonly lon: number
  readonly spread: number
  readonly observations: number
  readonly declared: boolean
  readonly updated_at: Date
}

/** Gives an organization its own access points, part by part. */
@Controller()
export class ExportAccessPoints {
  constructor(private readonly database: Database) {}

  @Handle(exportAccessPoints)
  async execute(input: Input<typeof exportAccessPoints>): Promise<Output<typeof exportAccessPoints>> {
    const after = input.cursor === undefined ? 0 : readCursor(input.cursor)
    const layer = input.organization_id
    const known = await this.database.layer.findUnique({ where: { organizationId: layer } })
    if (!known || known.accessPoints === 0n) return { data: [], next: null }
    // Read in the order of the primary key, which has no order of layers: an index for the sake of exports would be paid
    // for by every import.
    const [end] = await this.database.$queryRaw<{ last: bigint | null; scanned: number }[]>`
      SELECT max(bssid) AS last, count(*)::int AS scanned FROM (
        SELECT bssid FROM access_points WHERE bssid > ${after}::bigint ORDER BY bssid LIMIT ${SCANNED}
      ) AS scanned`
    const last = Number(end?.last ?? 0)
    const rows = await this.database.$queryRaw<Row[]>`
      SELECT bssid, lat, lon, spread, observations, declared, updated_at FROM access_points
      WHERE bssid > ${after}::bigint AND bssid <= ${last}::bigint AND organization_id = ${layer}::uuid
      ORDER BY bssid LIMIT ${EXPORTED_ACCESS_POINTS}`
    return {
      data: rows.map(({ bssid, updated_at, ...row }) => ({
        macAddress: formatMacAddress(Number(bssid)),
        ...row,
        updated_at: updated_at.toISOString(),
      })),
      next: nextOf(rows, last, end?.scanned ?? 0),
    }
  }
}

function nextOf(rows: readonly Row[], last: number, scanned: number): string | null {
  if (rows.length === EXPORTED_ACCESS_POINTS) return String(rows.at(-1)?.bssid)
  return scanned < SCANNED ? null : String(last)
}

function readCursor(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  const detail = 'must be the `next` of the reply before'
  throw new OperationError('invalid_input', `/cursor ${detail}`, { errors: [{ pointer: '/cursor', detail }] })
}
