import { formatCell, type CellKey } from '@bearing/contracts/location/cell-identity'
import {
  EARTH_RADIUS_METERS,
  squaredDistance,
  toVector,
  type Coordinates,
  type Vector,
} from '@bearing/positioning/sphere'
import type pg from 'pg'
import { CELL_COLUMNS, cellColumns, cellOfRow, type CellRow } from './stations/cell-columns.js'
import { NUMBERS } from './packed-bytes.js'

/** An area: its middle, and its radius in metres. */
export interface Area extends Coordinates {
  readonly radius: number
}

/** What a layer has to forget. */
export class Forgotten {
  private readonly isInside: readonly ((place: Vector) => boolean)[]
  /** All that was heard in one scan is asked about after each other, at the same place. */
  private last = { lat: NaN, lon: NaN, isInside: false }

  constructor(
    private readonly bssids: ReadonlySet<number>,
    /** As `formatCell` writes them. */
    private readonly cells: ReadonlySet<string>,
    areas: readonly Area[],
  ) {
    this.isInside = areas.map(withinOf)
  }

  /** Whether there is nothing to forget. */
  get isEmpty(): boolean {
    return this.bssids.size === 0 && this.cells.size === 0 && this.isInside.length === 0
  }

  /** Whether an access point, or a place where one was heard, may be kept. */
  keeps(bssid: number, lat: number, lon: number): boolean {
    return !this.bssids.has(bssid) && !this.hasPlace(lat, lon)
  }

  /** Whether a radio cell, or a place where one was heard, may be kept. */
  keepsCell(cell: CellKey, lat: number, lon: number): boolean {
    return !(this.cells.size > 0 && this.cells.has(formatCell(cell))) && !this.hasPlace(lat, lon)
  }

  /** Whether nothing may be kept that was heard at a place. */
  hasPlace(lat: number, lon: number): boolean {
    if (this.isInside.length === 0) return false
    if (lat !== this.last.lat || lon !== this.last.lon) {
      const place = toVector({ lat, lon })
      this.last = { lat, lon, isInside: this.isInside.some((inside) => inside(place)) }
    }
    return this.last.isInside
  }
}

/** Access points and radio cells, of which what is forgotten is to be known. */
export interface Heard {
  readonly bssids: readonly number[]
  readonly cells: readonly CellKey[]
}

/** Reads all that a layer has to forget. Who writes to the layer reads it under the lock of the layer. */
export async function readForgotten(client: pg.ClientBase, layer: string): Promise<Forgotten> {
  const points = await client.query<[number]>({
    text: 'SELECT bssid FROM forgotten_access_points WHERE organization_id = $1',
    values: [layer],
    rowMode: 'array',
    types: NUMBERS,
  })
  const cells = await client.query<CellRow>({
    text: `SELECT ${CELL_COLUMNS} FROM forgotten_cells WHERE organization_id = $1`,
    values: [layer],
    rowMode: 'array',
    types: NUMBERS,
  })
  return forgottenOf(client, layer, points.rows, cells.rows)
}

/** Reads what a layer has to forget of what was heard, however much else that is. Under the lock of the layer, too. */
export async function readForgottenOf(
  client: pg.ClientBase,
  layer: string,
  heard: Heard,
): Promise<Forgotten> {
  const points = await client.query<[number]>({
    name: 'read-forgotten-points',
    // For each address one look into the index.
    text: `SELECT known.bssid FROM unnest($2::bigint[]) AS heard (bssid) CROSS JOIN LATERAL (
        SELECT bssid FROM forgotten_access_points AS one
        WHERE one.organization_id = $1 AND one.bssid = heard.bssid LIMIT 1
      ) AS known`,
    values: [layer, heard.bssids],
    rowMode: 'array',
    types: NUMBERS,
  })
  const cells = await client.query<CellRow>({
    name: 'read-forgotten-cells',
    text: `SELECT ${CELL_COLUMNS}
      FROM unnest($2::smallint[], $3::smallint[], $4::smallint[], $5::int[], $6::bigint[]) AS heard (${CELL_COLUMNS})
      JOIN forgotten_cells USING (${CELL_COLUMNS}) WHERE organization_id = $1`,
    values: [layer, ...cellColumns(heard.cells)],
    rowMode: 'array',
    types: NUMBERS,
  })
  return forgottenOf(client, layer, points.rows, cells.rows)
}

async function forgottenOf(
  client: pg.ClientBase,
  layer: string,
  points: readonly [number][],
  cells: readonly CellRow[],
): Promise<Forgotten> {
  const { rows: areas } = await client.query<Area>({
    name: 'read-forgotten-areas',
    text: 'SELECT lat, lon, radius FROM forgotten_areas WHERE organization_id = $1',
    values: [layer],
  })
  const names = new Set(cells.map((row) => formatCell(cellOfRow(row))))
  return new Forgotten(new Set(points.map(([bssid]) => bssid)), names, areas)
}

/** Whether a place is in an area. */
export function insideOf(area: Area): (place: Coordinates) => boolean {
  const isWithin = withinOf(area)
  return (place) => isWithin(toVector(place))
}

function withinOf({ radius, ...middle }: Area): (place: Vector) => boolean {
  const centre = toVector(middle)
  const chord = 2 * EARTH_RADIUS_METERS * Math.sin(radius / (2 * EARTH_RADIUS_METERS))
  return (place) => squaredDistance(centre, place) <= chord ** 2
}
