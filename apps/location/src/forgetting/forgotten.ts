import { formatCell, type CellKey } from '@bearing/contracts/location/cell-identity'
import {
  EARTH_RADIUS_METERS,
  squaredDistance,
  toVector,
  type Coordinates,
  type Vector,
} from '@bearing/positioning/sphere'
import type pg from 'pg'
import { CELL_COLUMNS, cellOfRow, type CellRow } from '../cells/cell-columns.js'
import { NUMBERS } from '../learning/packed-bytes.js'

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

  private hasPlace(lat: number, lon: number): boolean {
    if (this.isInside.length === 0) return false
    if (lat !== this.last.lat || lon !== this.last.lon) {
      const place = toVector({ lat, lon })
      this.last = { lat, lon, isInside: this.isInside.some((inside) => inside(place)) }
    }
    return this.last.isInside
  }
}

/** Reads what a layer has to forget. Who writes to the layer reads it under the lock of the layer. */
export async function readForgotten(client: pg.ClientBase, layer: string): Promise<Forgotten> {
  const { rows: points } = await client.query<{ bssid: string }>(
    'SELECT bssid FROM forgotten_access_points WHERE organization_id = $1',
    [layer],
  )
  const { rows: cells } = await client.query<CellRow>({
    text: `SELECT ${CELL_COLUMNS} FROM forgotten_cells WHERE organization_id = $1`,
    values: [layer],
    rowMode: 'array',
    types: NUMBERS,
  })
  const { rows: areas } = await client.query<Area>(
    'SELECT lat, lon, radius FROM forgotten_areas WHERE organization_id = $1',
    [layer],
  )
  const names = new Set(cells.map((row) => formatCell(cellOfRow(row))))
  return new Forgotten(new Set(points.map(({ bssid }) => Number(bssid))), names, areas)
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
