import { invalidInput } from '@bearing/contracts/errors'
import type { AuditAction } from '@bearing/contracts/identity/audit/audit-actions'
import { exportAccessPoints, type AccessPoint } from '@bearing/contracts/location/access-points/access-point'
import { formatMacAddress } from '@bearing/contracts/location/access-points/mac-address'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import type { LayerRecord } from '@bearing/positioning/learning/layers/layered-knowledge'
import { decodeStatistics } from '@bearing/positioning/learning/statistics/statistics-codec'
import { Readings } from '@bearing/service/audit/readings'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { ACCESS_POINT } from '../../ground/stations/access-point.js'
import { Tombstones } from '../../ground/tombstones.js'
import { inTurns } from '../../ground/in-turns.js'
import { ownAccessPoint } from './own-access-point.js'
import { readOwn, type OwnRow } from './own-rows.js'

/** Exports the access points of an organization, page by page. */
@Controller()
export class ExportAccessPoints {
  constructor(
    private readonly database: Database,
    private readonly readings: Readings<AuditAction<'location'>>,
  ) {}

  @Handle(exportAccessPoints)
  async execute(
    input: Input<typeof exportAccessPoints>,
    by: Principal,
  ): Promise<Output<typeof exportAccessPoints>> {
    const { organization_id: organizationId, cursor, only } = input
    const after = cursor === undefined ? 0 : readCursor(cursor)
    await this.readings.note(by, {
      action: 'access_points.exported',
      target: ['organization', organizationId],
      organizationId,
    })
    const { rows, next } = await readOwn(this.database, organizationId, after, only)
    const areas = await this.database.forgottenArea.findMany({ where: { organizationId } })
    const data = await inTurns(accessPointsOf(rows, new Tombstones(new Map(), areas)))
    return { data, next: next === undefined ? null : String(next) }
  }
}

/** Computes a model for each learned one, and lets other work run in between. */
function* accessPointsOf(
  rows: readonly OwnRow[],
  tombstones: Tombstones,
): Generator<void, AccessPoint[], undefined> {
  const accessPoints: AccessPoint[] = []
  for (const row of rows) {
    const accessPoint = accessPointOf(row, tombstones)
    if (accessPoint) accessPoints.push(accessPoint)
    yield
  }
  return accessPoints
}

function accessPointOf(row: OwnRow, tombstones: Tombstones): AccessPoint | undefined {
  const record = recordOf(row)
  const known = ownAccessPoint(record)?.shown
  if (!known) return undefined
  // Learned access points in an erased area are swept after the reply to the caller.
  const isKept = !known.learned || tombstones.keeps(ACCESS_POINT, Number(row.bssid), known.lat, known.lon)
  const shown = isKept ? known : ownAccessPoint({ place: record.place })?.shown
  const updatedAt = shown?.learned ? row.learned_at : row.updated_at
  if (!shown || !updatedAt) return undefined
  return { macAddress: formatMacAddress(Number(row.bssid)), ...shown, updated_at: updatedAt.toISOString() }
}

function recordOf({ lat, lon, spread, observations, declared, statistics }: OwnRow): LayerRecord {
  const hasPlace = lat !== null && lon !== null && spread !== null && observations !== null
  return {
    place: hasPlace
      ? { lat, lon, spreadMeters: spread, observations, isDeclared: declared === true }
      : undefined,
    statistics: statistics ? decodeStatistics(statistics) : undefined,
  }
}

function readCursor(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw invalidInput('/cursor', 'must be the `next` of the previous reply')
}
