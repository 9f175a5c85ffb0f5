import { toVector, type Vector } from '@bearing/positioning/earth/sphere'
import type pg from 'pg'
import { readRows } from './read-rows.js'
import { areaTest } from './stations/area.js'
import { keyColumns, keyParameters, keyValues, sameKey } from './stations/key-sql.js'
import type { AnyStation, Area, Heard, Station } from './stations/station.js'
import { STATIONS } from './stations/stations.js'

/** The ids of erased stations ({@link Station.idOf}). */
export type ErasedIds = ReadonlyMap<AnyStation, ReadonlySet<number | string>>

/** Stations and areas that were permanently erased from a layer. Nothing of them may be stored, learned or shown again. */
export class Tombstones {
  private readonly areaTests: readonly ((place: Vector) => boolean)[]
  /** All stations of one scan are tested one after the other, at the same place. */
  private last = { lat: NaN, lon: NaN, isInside: false }

  constructor(
    private readonly ids: ErasedIds,
    areas: readonly Area[],
  ) {
    this.areaTests = areas.map(areaTest)
  }

  /** True if there are none. */
  get isEmpty(): boolean {
    return this.areaTests.length === 0 && [...this.ids.values()].every(({ size }) => size === 0)
  }

  /** Returns whether a station, or a place where one was heard, may be kept. */
  keeps<Key>(station: Station<Key, unknown>, key: Key, lat: number, lon: number): boolean {
    return !this.has(station, key) && !this.hasPlace(lat, lon)
  }

  /** Returns whether a place is in an erased area. */
  hasPlace(lat: number, lon: number): boolean {
    if (this.areaTests.length === 0) return false
    if (lat !== this.last.lat || lon !== this.last.lon) {
      const place = toVector({ lat, lon })
      this.last = { lat, lon, isInside: this.areaTests.some((isInside) => isInside(place)) }
    }
    return this.last.isInside
  }

  /** Returns a contribution without erased stations; the same object if it has none. */
  removeFrom<Some extends Heard>(heard: Some): Some {
    if (this.isEmpty) return heard
    const isInside = this.hasPlace(heard.lat, heard.lon)
    return STATIONS.reduce(
      (left, station) => station.filter(left, (key) => !isInside && !this.has(station, key)),
      heard,
    )
  }

  private has<Key>(station: Station<Key, unknown>, key: Key): boolean {
    const ids = this.ids.get(station)
    return ids !== undefined && ids.size > 0 && ids.has(station.idOf(key))
  }
}

type Client = Pick<pg.ClientBase, 'query'>

/**
 * Reads the tombstones of a layer: all of them, or those of the stations in some contributions. Writers read them while they
 * hold the lock of the layer.
 */
export async function readTombstones(
  client: Client,
  layer: string,
  of?: readonly Heard[],
): Promise<Tombstones> {
  const ids = new Map<AnyStation, ReadonlySet<number | string>>()
  for (const station of STATIONS) {
    const keys = of
      ? await readErased(client, layer, station, of)
      : await readAllErased(client, layer, station)
    ids.set(station, new Set(keys.map((key) => station.idOf(key))))
  }
  const text = 'SELECT lat, lon, radius FROM forgotten_areas WHERE organization_id = $1'
  const columns = { lat: 'float8', lon: 'float8', radius: 'float8' } as const
  const areas = await readRows(client, { name: 'read-erased-areas', text, columns }, [layer])
  return new Tombstones(ids, areas)
}

async function readAllErased(client: Client, layer: string, station: AnyStation): Promise<unknown[]> {
  const text = `SELECT ${keyColumns(station)} FROM ${station.tables.tombstones} WHERE organization_id = $1`
  const rows = await readRows(client, { text, columns: station.columns }, [layer])
  return rows.map((row) => station.keyOf(row))
}

async function readErased(
  client: Client,
  layer: string,
  station: AnyStation,
  heard: readonly Heard[],
): Promise<unknown[]> {
  const keys = new Map(heard.flatMap((one) => station.keysIn(one).map((key) => [station.idOf(key), key])))
  if (keys.size === 0) return []
  const columns = keyColumns(station)
  // For each key one look into the index.
  const text = `SELECT erased.* FROM unnest(${keyParameters(station, 2)}) AS heard (${columns}) CROSS JOIN LATERAL (
      SELECT ${columns} FROM ${station.tables.tombstones} AS one
      WHERE one.organization_id = $1 AND ${sameKey(station, 'one', 'heard')} LIMIT 1
    ) AS erased`
  const statement = { name: `read-erased-${station.name}`, text, columns: station.columns }
  const rows = await readRows(client, statement, [layer, ...keyValues(station, [...keys.values()])])
  return rows.map((row) => station.keyOf(row))
}
