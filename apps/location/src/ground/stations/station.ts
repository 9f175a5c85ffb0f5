import type { Contribution, Reading } from '@bearing/positioning/learning/evidence/contribution'
import type { Evidence } from '@bearing/positioning/learning/evidence/learn'
import type { Placement } from '@bearing/positioning/learning/statistics/placement-of'
import type { Coordinates } from '@bearing/positioning/earth/sphere'

/** A circle on the ground, with its radius in meters. */
export interface Area extends Coordinates {
  readonly radius: number
}

/** A contribution; `learned` are the readings of access points to learn from. */
export type Heard = Contribution & { readonly learned?: readonly Reading[] }

/** Columns of imported rows. None is ever NULL. */
export type ImportedColumns = readonly (readonly [name: string, type: 'bool' | 'float8' | 'int4'])[]

/**
 * One kind of stations that devices receive: a key, a codec and tables. Learning, rebuilding, look-ups and erasure are written once,
 * over this description. Members are methods so that lists can hold several kinds ({@link AnyStation}).
 */
export interface Station<Key, Statistics, Imported extends ImportedColumns = ImportedColumns> {
  /** Distinguishes prepared statements. */
  readonly name: string
  readonly tables: { readonly imported: string; readonly learned: string; readonly tombstones: string }

  /** The columns of the key in the order of the primary keys, with their types. */
  readonly columns: readonly (readonly [name: string, type: 'int2' | 'int4' | 'int8'])[]
  readonly importedColumns: Imported
  valuesOf(key: Key): readonly number[]
  keyOf(values: readonly number[]): Key
  /** Identifies the key in sets and maps. */
  idOf(key: Key): number | string
  /** Returns the bytes that the key has in stored contributions. */
  bytesOf(key: Key): Uint8Array

  encode(statistics: Statistics): Uint8Array
  decode(bytes: Uint8Array): Statistics
  /** Adds statistics up. @param parts at least one */
  merge(parts: readonly Statistics[]): Statistics
  /** Returns how many observations statistics contain, after aging. */
  countIn(statistics: Statistics): number
  /** Returns where statistics put the station. Kinds without it have no place to list. */
  placementOf?(statistics: Statistics): Placement | undefined
  /**
   * Removes what was observed in areas. Returns the same object if nothing was, undefined if nothing is left, and `inside` if
   * the station itself stands in one of them and has to be erased.
   */
  withoutAreas(statistics: Statistics, areas: readonly Area[]): Statistics | 'inside' | undefined

  /** Returns the keys that a contribution contains; some may be there twice. */
  keysIn(heard: Heard): readonly Key[]
  /** Returns what a stored contribution says about stations, each once. */
  evidenceIn(heard: Heard): readonly Evidence<Key, Statistics>[]
  /** Returns a contribution with only some of its stations. */
  filter<Some extends Heard>(heard: Some, keeps: (key: Key) => boolean): Some
}

export type AnyStation = Station<unknown, unknown>
