import { addressHash } from '../scans/address-hash.js'
import { toQuadPlace } from '../earth/quad-cell.js'
import type { Coordinates } from '../earth/sphere.js'
import { ByteReader } from './byte-reader.js'
import { ByteWriter } from './byte-writer.js'
import { cellKey } from './layer-of-cells.js'

/** An organization that contributed to a record of the shared layer, and where. */
export interface Contributor {
  /** UUID in lower case. */
  readonly organization: string
  /** Keys of the squares ({@link cellKey}), in ascending order. Empty: more squares than the record keeps. */
  readonly squares: readonly number[]
}

/** The contributors of a record: by ascending organization, each once. */
export type Contributors = readonly Contributor[]

/** What a record of the shared layer keeps of its contributors. */
export interface ContributorBounds {
  /** The level of the squares. */
  readonly level: number
  /** Squares that are kept of one organization. */
  readonly squares: number
  /** What is kept of an organization with more squares: `none` of them, or a `sample`. */
  readonly beyond: 'none' | 'sample'
}

/**
 * Of an access point: squares of 170 to 340 m, as of sites. An organization that contributed an access point in more than eight of
 * them does not know where it is, or tries out places: it counts nowhere.
 */
export const ACCESS_POINT_BOUNDS: ContributorBounds = { level: 6, squares: 8, beyond: 'none' }
/** Of a radio cell: squares of 85 to 170 m. A cell is heard in many, so a sample of them is enough. */
export const RADIO_CELL_BOUNDS: ContributorBounds = { level: 5, squares: 8, beyond: 'sample' }

/**
 * Organizations that are kept of a record. Those with the lowest ids are kept, which are the oldest ones (UUIDv7): new
 * organizations cannot push out the contributors that a record has.
 */
const MOST_CONTRIBUTORS = 8
const SAMPLE_SEED = 2

export const NO_CONTRIBUTORS: Contributors = []

/** Returns the contributor of one observation. */
export function contributorOf(
  organization: string,
  place: Coordinates,
  { level }: ContributorBounds,
): Contributors {
  return [{ organization: organization.toLowerCase(), squares: [cellKey(toQuadPlace(place), level)] }]
}

/** Merges the contributors of parts of a record. The result does not depend on their order. */
export function mergeContributors(parts: readonly Contributors[], bounds: ContributorBounds): Contributors {
  if (parts.every((part) => part.length === 0)) return NO_CONTRIBUTORS
  const squares = new Map<string, Set<number> | undefined>()
  for (const part of parts)
    for (const one of part) {
      const before = squares.has(one.organization) ? squares.get(one.organization) : new Set<number>()
      const isBounded = before !== undefined && one.squares.length > 0
      squares.set(one.organization, isBounded ? new Set([...before, ...one.squares]) : undefined)
    }
  return [...squares]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .slice(0, MOST_CONTRIBUTORS)
    .map(([organization, keys]) => ({ organization, squares: keys ? bounded([...keys], bounds) : [] }))
}

/** Removes squares, and the organizations that have no others. Organizations without squares stay. */
export function contributorsWithout(
  contributors: Contributors,
  isKept: (key: number, level: number) => boolean,
  { level }: ContributorBounds,
): Contributors {
  return contributors.flatMap((one) => {
    const squares = one.squares.filter((key) => isKept(key, level))
    return squares.length === 0 && one.squares.length > 0 ? [] : [{ ...one, squares }]
  })
}

function bounded(keys: readonly number[], { squares, beyond }: ContributorBounds): number[] {
  if (keys.length <= squares) return keys.toSorted((a, b) => a - b)
  if (beyond === 'none') return []
  return keys
    .toSorted((a, b) => addressHash(a, SAMPLE_SEED) - addressHash(b, SAMPLE_SEED) || a - b)
    .slice(0, squares)
    .sort((a, b) => a - b)
}

/** The first byte. */
const VERSION = 1
const ID_BYTES = 16
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
/** The bytes of a UUID that a dash comes before. */
const DASH_BEFORE: ReadonlySet<number> = new Set([4, 6, 8, 10])
const WRITER = new ByteWriter()

/** Writes contributors as bytes: two, and 18 to 50 for each organization. */
export function encodeContributors(contributors: Contributors): Uint8Array<ArrayBuffer> {
  WRITER.byte(VERSION)
  WRITER.byte(contributors.length)
  for (const { organization, squares } of contributors) {
    const hex = organization.replaceAll('-', '')
    for (let at = 0; at < ID_BYTES; at++) WRITER.byte(Number.parseInt(hex.slice(2 * at, 2 * at + 2), 16))
    WRITER.byte(squares.length)
    let last = 0
    for (const key of squares) {
      WRITER.whole(key - last)
      last = key
    }
  }
  return WRITER.take()
}

/**
 * Reads what {@link encodeContributors} wrote. Rows from before contributors were recorded have none.
 *
 * @throws RangeError if it did not write that
 */
export function decodeContributors(bytes: Uint8Array | null): Contributors {
  if (!bytes) return NO_CONTRIBUTORS
  const reader = new ByteReader(bytes)
  const version = reader.byte()
  if (version !== VERSION) throw new RangeError(`contributors of an unknown version, ${String(version)}`)
  const count = reader.byte()
  const contributors = Array.from({ length: count }, () => decodeContributor(reader))
  if (!reader.isDone) throw new RangeError('contributors with more bytes than they say')
  return contributors
}

function decodeContributor(reader: ByteReader): Contributor {
  let organization = ''
  for (let at = 0; at < ID_BYTES; at++)
    organization += (DASH_BEFORE.has(at) ? '-' : '') + (HEX[reader.byte()] ?? '')
  const squares: number[] = []
  let key = 0
  for (let left = reader.byte(); left > 0; left--) {
    key += reader.whole()
    squares.push(key)
  }
  return { organization, squares }
}
