import {
  decodeContribution,
  decodeReadings,
  encodeReadings,
} from '@bearing/positioning/learning/contribution-codec'
import { modelOf } from '@bearing/positioning/learning/model-of'
import { decodeStatistics } from '@bearing/positioning/learning/statistics-codec'
import type { CellKey } from '@bearing/contracts/location/cell-identity'
import { accessPointsChanged } from '@bearing/contracts/location/access-point-import'
import type { EventData } from '@bearing/contracts/operation'
import type { OutboxEvent } from '@bearing/service/outbox-relay'
import type pg from 'pg'
import { CELL_COLUMNS, cellColumns } from '../cells/cell-columns.js'
import { takeLayer } from '../learning/layer-lock.js'
import { eachPage, type Leave } from './each-page.js'
import { organizationOf } from '../layer.js'
import { storeEvent } from '../outbox.js'
import { insideOf, type Area } from './forgotten.js'
import { encodeKept, sweepCell, sweepCellsOfArea } from './sweep-cells.js'

/** A row of one of the tables of what has to be forgotten. */
type Claimed = { readonly layer: string } & (
  { readonly bssid: string } | { readonly cell: CellKey } | { readonly id: string; readonly area: Area }
)

/** What sweeping takes from outside. */
export interface SweepContext {
  readonly now: () => Date
  readonly newId: () => string
}

/**
 * Sweeps the next thing that has to be forgotten.
 *
 * @returns whether there was one, and it was done
 */
export async function sweepNext(pool: pg.Pool, { now, newId }: SweepContext, leave: Leave): Promise<boolean> {
  const client = await pool.connect()
  let failed = true
  try {
    await client.query('BEGIN')
    const claimed = await claim(client)
    if (claimed && (await sweep(client, claimed, leave))) {
      await note(client, claimed, now())
      await storeEvent(client, changeOf(claimed.layer, newId()), now())
    }
    await client.query('COMMIT')
    failed = false
    return claimed !== undefined && !leave()
  } finally {
    client.release(failed)
  }
}

/** What was learned was still there, and may have been read, between the reply to who forgot it and now. */
function changeOf(layer: string, id: string): OutboxEvent {
  const data: EventData<typeof accessPointsChanged> = { id, organization_id: organizationOf(layer) }
  return { id, subject: accessPointsChanged.subject, data }
}

/** The row stays locked while it is swept: nobody else takes it up. */
async function claim(client: pg.ClientBase): Promise<Claimed | undefined> {
  const next = async (columns: string, table: string, order: string) => {
    const { rows } = await client.query<Claimed>(
      `SELECT organization_id AS layer, ${columns} FROM ${table}
       WHERE swept_at IS NULL ${order} FOR NO KEY UPDATE SKIP LOCKED LIMIT 1`,
    )
    return rows[0]
  }
  // Identities of cells are exact as numbers of JSON.
  const cell = CELL_COLUMNS.replaceAll(/\w+/g, "'$&', $&")
  return (
    (await next(`id, ${AREA} AS area`, 'forgotten_areas', 'ORDER BY id')) ??
    (await next('bssid', 'forgotten_access_points', '')) ??
    (await next(`jsonb_build_object(${cell}) AS cell`, 'forgotten_cells', ''))
  )
}

const AREA = "jsonb_build_object('lat', lat, 'lon', lon, 'radius', radius)"

async function note(client: pg.ClientBase, claimed: Claimed, now: Date): Promise<void> {
  const [table, columns, values] =
    'id' in claimed
      ? ['areas', 'id', [claimed.id]]
      : 'bssid' in claimed
        ? ['access_points', 'bssid', [claimed.bssid]]
        : ['cells', CELL_COLUMNS, cellColumns([claimed.cell]).flat()]
  const parameters = values.map((_, index) => `$${String(index + 3)}`).join()
  await client.query(
    `UPDATE forgotten_${table} SET swept_at = $1 WHERE organization_id = $2 AND (${columns}) = (${parameters})`,
    [now, claimed.layer, ...values],
  )
}

async function sweep(client: pg.ClientBase, claimed: Claimed, leave: Leave): Promise<boolean> {
  const { layer } = claimed
  // Who learns at the moment may have begun before it was forgotten.
  await takeLayer(client, layer)
  if ('area' in claimed)
    return (
      (await sweepArea(client, layer, claimed.area, leave)) &&
      sweepCellsOfArea(client, layer, claimed.area, leave)
    )
  if ('cell' in claimed) return sweepCell(client, layer, claimed.cell, leave)
  return sweepAccessPoint(client, layer, Number(claimed.bssid), leave)
}

/** Readings of an address, in what an organization has contributed; and what was learned of it in the meantime. */
async function sweepAccessPoint(
  client: pg.ClientBase,
  layer: string,
  bssid: number,
  leave: Leave,
): Promise<boolean> {
  const others = <Heard extends { readonly bssid: number }>(heard: readonly Heard[]) =>
    heard.filter((reading) => reading.bssid !== bssid)
  // Its six bytes stand in what was stored as they are; they may be there by chance as well.
  const bytes = Buffer.from(bssid.toString(16).padStart(12, '0'), 'hex')
  await client.query('DELETE FROM learned_access_points WHERE bssid = $1 AND organization_id = $2', [
    bssid,
    layer,
  ])
  const observations = 'SELECT id AS key, contribution AS bytes FROM observations WHERE organization_id = $1'
  const heard = 'AND position($2 IN contribution) > 0'
  const swept = await eachPage(client, `${observations} ${heard}`, [layer, bytes], leave, async (rows) => {
    for (const row of rows) {
      const stored = decodeContribution(row.bytes)
      const [readings, learned] = [others(stored.readings), others(stored.learned)]
      await client.query('UPDATE observations SET contribution = $2 WHERE id = $1', [
        row.key,
        encodeKept({ ...stored, readings, learned }),
      ])
    }
  })
  const references = `SELECT id AS key, readings AS bytes FROM reference_scans
    WHERE organization_id = $1 AND position($2 IN readings) > 0`
  return (
    swept &&
    eachPage(client, references, [layer, bytes], leave, async (rows) => {
      for (const row of rows) {
        const readings = decodeReadings(row.bytes).map(([address, signalDbm]) => ({
          bssid: address,
          signalDbm,
        }))
        await client.query('UPDATE reference_scans SET readings = $2 WHERE id = $1', [
          row.key,
          Buffer.from(encodeReadings(others(readings))),
        ])
      }
      await renew(client, layer)
    })
  )
}

/** What was contributed from an area, and what was learned of access points whose place is in it. */
async function sweepArea(client: pg.ClientBase, layer: string, area: Area, leave: Leave): Promise<boolean> {
  const isInside = insideOf(area)
  const observations = `SELECT id AS key, contribution AS bytes FROM observations
    WHERE organization_id = $1 AND contribution IS NOT NULL`
  const swept = await eachPage(client, observations, [layer], leave, async (rows) => {
    const keys = rows.filter(({ bytes }) => isInside(decodeContribution(bytes))).map(({ key }) => key)
    await client.query('UPDATE observations SET contribution = NULL WHERE id = ANY ($1::uuid[])', [keys])
  })
  if (!swept) return false
  const { rows: references } = await client.query<{ key: string; lat: number; lon: number }>(
    'SELECT id AS key, lat, lon FROM reference_scans WHERE organization_id = $1',
    [layer],
  )
  await client.query('DELETE FROM reference_scans WHERE id = ANY ($1::uuid[])', [
    references.filter(isInside).map(({ key }) => key),
  ])
  await renew(client, layer)
  const learned = `SELECT bssid AS key, statistics AS bytes FROM learned_access_points WHERE organization_id = $1`
  return eachPage(client, learned, [layer], leave, async (rows) => {
    const gone = rows.filter(({ bytes }) => {
      const place = modelOf(decodeStatistics(bytes))
      return place !== undefined && isInside(place)
    })
    const keys = gone.map(({ key }) => key)
    await client.query(
      'DELETE FROM learned_access_points WHERE organization_id = $1 AND bssid = ANY ($2::bigint[])',
      [layer, keys],
    )
    await client.query(
      `INSERT INTO forgotten_access_points SELECT $1, unnest($2::bigint[]), now(), NULL
       ON CONFLICT (organization_id, bssid) DO UPDATE SET swept_at = NULL`,
      [layer, keys],
    )
  })
}

/** Who keeps the reference scans in memory sees that they are not those any more. */
async function renew(client: pg.ClientBase, layer: string): Promise<void> {
  await client.query('UPDATE reference_sets SET version = version + 1 WHERE organization_id = $1', [layer])
}
