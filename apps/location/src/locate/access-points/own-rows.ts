import {
  EXPORTED_ACCESS_POINTS,
  type exportAccessPoints,
} from '@bearing/contracts/location/access-points/access-point'
import type { Input } from '@bearing/contracts/operation'
import type { Database } from '../../ground/database.js'

/** Entries of a primary key that are looked at for one part: those of other layers lie between ours. */
const SCANNED = 10_000
/** The last address. */
const LAST = 2 ** 48 - 1

/** An organization's own rows of an access point: one of the two at least. */
export interface OwnRow {
  readonly bssid: bigint
  /** Imported columns. */
  readonly lat: number | null
  readonly lon: number | null
  readonly spread: number | null
  readonly observations: number | null
  readonly declared: boolean | null
  readonly updated_at: Date | null
  /** Learned columns. */
  readonly statistics: Uint8Array | null
  readonly learned_at: Date | null
}

/** A part of what an organization has. */
export interface OwnPart {
  /** In the order of their addresses. */
  readonly rows: readonly OwnRow[]
  /** The address behind which the next part begins; undefined: this is the last one. */
  readonly next: number | undefined
}

/**
 * Reads what an organization has imported and learned itself, in the order of the primary keys, which have no order of layers: an index
 * for exports would slow down every import and all learning. Erased access points are not read, swept or not.
 *
 * @param after the address behind which it begins
 * @param only what was imported, or what was learned (default: both)
 */
export async function readOwn(
  database: Database,
  organizationId: string,
  after: number,
  only: Input<typeof exportAccessPoints>['only'],
): Promise<OwnPart> {
  const layer = await database.layer.findUnique({ where: { organizationId } })
  const imported = only !== 'learned' && layer !== null && layer.accessPoints > 0n
  const learned = only !== 'imported'
  const [scanned] = await database.$queryRaw<{ last: bigint | null }[]>`
    SELECT least(
      (SELECT bssid FROM access_points WHERE ${imported} AND bssid > ${after}::bigint
       ORDER BY bssid OFFSET ${SCANNED} LIMIT 1),
      (SELECT bssid FROM learned_access_points WHERE ${learned} AND bssid > ${after}::bigint
       ORDER BY bssid OFFSET ${SCANNED} LIMIT 1)) AS last`
  const last = scanned?.last === null || scanned === undefined ? undefined : Number(scanned.last)
  const until = last ?? LAST
  const rows = await database.$queryRaw<OwnRow[]>`
    SELECT own.bssid, place.*, evidence.* FROM (
      (SELECT bssid FROM access_points
       WHERE ${imported} AND bssid > ${after}::bigint AND bssid <= ${until}::bigint
         AND organization_id = ${organizationId}::uuid
       ORDER BY bssid LIMIT ${EXPORTED_ACCESS_POINTS})
      UNION
      (SELECT bssid FROM learned_access_points
       WHERE ${learned} AND bssid > ${after}::bigint AND bssid <= ${until}::bigint
         AND organization_id = ${organizationId}::uuid
       ORDER BY bssid LIMIT ${EXPORTED_ACCESS_POINTS})
      ORDER BY bssid LIMIT ${EXPORTED_ACCESS_POINTS}
    ) AS own
    LEFT JOIN LATERAL (
      SELECT lat, lon, spread, observations, declared, updated_at FROM access_points AS known
      WHERE ${imported} AND known.bssid = own.bssid AND organization_id = ${organizationId}::uuid LIMIT 1
    ) AS place ON true
    LEFT JOIN LATERAL (
      SELECT statistics, updated_at AS learned_at FROM learned_access_points AS known
      WHERE ${learned} AND known.bssid = own.bssid AND organization_id = ${organizationId}::uuid
        AND NOT EXISTS (SELECT FROM forgotten_access_points AS erased
          WHERE erased.organization_id = ${organizationId}::uuid AND erased.bssid = own.bssid)
      LIMIT 1
    ) AS evidence ON true
    ORDER BY own.bssid`
  const next = rows.length === EXPORTED_ACCESS_POINTS ? Number(rows.at(-1)?.bssid) : last
  return { rows, next }
}
