import { merge, WHOLE_WEIGHT, type AccessPointStatistics } from '@bearing/positioning/learning/statistics'
import { decodeStatistics, encodeStatistics } from '@bearing/positioning/learning/statistics-codec'
import {
  ACCESS_POINT_BOUNDS,
  decodeContributors,
  mergeContributors,
  type Contributors,
} from '@bearing/positioning/learning/contributors'
import type pg from 'pg'
import { NUMBERS, packBytes, packContributors } from '../ground/packed-bytes.js'

/** What is to be added to what is known of an access point in a layer. */
export interface Addition {
  readonly layer: string
  readonly bssid: number
  readonly statistics: AccessPointStatistics
  /** Who contributed it; none in other layers than the shared one. */
  readonly contributors: Contributors
}

/** Rows that are locked, read and written at once. */
const AT_ONCE = 5_000

const GIVEN = `
  SELECT bssid, layer, substr($3::bytea, start, length) AS statistics,
    CASE WHEN length_of_more > 0 THEN substr($7::bytea, start_of_more, length_of_more) END AS contributors
  FROM unnest($1::bigint[], $2::uuid[], $4::int[], $5::int[], $8::int[], $9::int[]) WITH ORDINALITY
    AS given (bssid, layer, start, length, start_of_more, length_of_more, number)
  ORDER BY number`

/** Adds the rows that there are none of, and locks the others, in the order in which they are given: nothing can deadlock. */
const ADD_OR_LOCK = `
  INSERT INTO learned_access_points AS known (bssid, organization_id, statistics, updated_at, contributors)
  SELECT bssid, layer, statistics, $6::timestamptz, contributors FROM (${GIVEN}) AS given
  ON CONFLICT (bssid, organization_id) DO UPDATE SET updated_at = known.updated_at WHERE false
  RETURNING bssid, organization_id`

const REPLACE = `
  INSERT INTO learned_access_points (bssid, organization_id, statistics, updated_at, contributors)
  SELECT bssid, layer, statistics, $6::timestamptz, contributors FROM (${GIVEN}) AS given
  ON CONFLICT (bssid, organization_id) DO UPDATE SET
    statistics = excluded.statistics, updated_at = excluded.updated_at, contributors = excluded.contributors`

/** For each key one look into one partition. */
const READ = `
  SELECT known.bssid, known.organization_id, known.statistics, known.contributors
  FROM unnest($1::bigint[], $2::uuid[]) AS asked (bssid, layer) CROSS JOIN LATERAL (
    SELECT * FROM learned_access_points AS one
    WHERE one.bssid = asked.bssid AND one.organization_id = asked.layer LIMIT 1
  ) AS known`

type Known = Pick<Addition, 'statistics' | 'contributors'>
type Key = [bssid: number, layer: string]

/**
 * Adds to what is known of access points. Others who add to the same rows at the same time wait, and add to what comes of
 * this.
 *
 * @param client in a transaction
 * @param additions each access point of a layer once
 * @returns those that were not known, or of which at least twice as much, or another contributor, is known now
 */
export async function addStatistics(
  client: pg.ClientBase,
  additions: readonly Addition[],
  now: Date,
): Promise<Addition[]> {
  const sorted = [...additions].sort((a, b) => a.bssid - b.bssid || (a.layer < b.layer ? -1 : 1))
  const grown: Addition[] = []
  for (let start = 0; start < sorted.length; start += AT_ONCE)
    grown.push(...(await addSome(client, sorted.slice(start, start + AT_ONCE), now)))
  return grown
}

async function addSome(
  client: pg.ClientBase,
  additions: readonly Addition[],
  now: Date,
): Promise<Addition[]> {
  const added = await client.query<Key>({
    name: 'add-or-lock-statistics',
    text: ADD_OR_LOCK,
    values: valuesOf(additions, now),
    rowMode: 'array',
    types: NUMBERS,
  })
  const isNew = new Set(added.rows.map(([bssid, layer]) => keyOf(bssid, layer)))
  const old = additions.filter(({ bssid, layer }) => !isNew.has(keyOf(bssid, layer)))
  const known = await readStatistics(client, old)
  const grown = additions.filter(({ bssid, layer }) => isNew.has(keyOf(bssid, layer)))
  const changed = old.map((addition) => {
    const before = known.get(keyOf(addition.bssid, addition.layer))
    if (!before) throw new Error('a row that was locked is gone')
    const statistics = merge([before.statistics, addition.statistics])
    const contributors = mergeContributors([before.contributors, addition.contributors], ACCESS_POINT_BOUNDS)
    const after = { ...addition, statistics, contributors }
    if (hasDoubled(before.statistics, statistics) || contributors.length > before.contributors.length)
      grown.push(after)
    return after
  })
  if (changed.length > 0)
    await client.query({
      name: 'replace-statistics',
      text: REPLACE,
      values: valuesOf(changed, now),
    })
  return grown
}

/** What is known of access points, by {@link keyOf}. */
export async function readStatistics(
  client: pg.ClientBase,
  keys: readonly Pick<Addition, 'bssid' | 'layer'>[],
): Promise<Map<string, Known>> {
  if (keys.length === 0) return new Map()
  const { rows } = await client.query<[...Key, statistics: Buffer, contributors: Buffer | null]>({
    name: 'read-statistics',
    text: READ,
    values: [keys.map(({ bssid }) => bssid), keys.map(({ layer }) => layer)],
    rowMode: 'array',
    types: NUMBERS,
  })
  return new Map(
    rows.map(([bssid, layer, bytes, contributors]) => [
      keyOf(bssid, layer),
      { statistics: decodeStatistics(bytes), contributors: decodeContributors(contributors) },
    ]),
  )
}

/** An access point of a layer as a text. */
export function keyOf(bssid: number, layer: string): string {
  return `${String(bssid)} ${layer}`
}

function valuesOf(additions: readonly Addition[], now: Date): unknown[] {
  const { bytes, starts, lengths } = packBytes(
    additions.map(({ statistics }) => encodeStatistics(statistics)),
  )
  const more = packContributors(additions)
  return [
    additions.map(({ bssid }) => bssid),
    additions.map(({ layer }) => layer),
    ...[bytes, starts, lengths, now],
    ...[more.bytes, more.starts, more.lengths],
  ]
}

function hasDoubled(before: AccessPointStatistics, after: AccessPointStatistics): boolean {
  return Math.floor(Math.log2(observations(after))) > Math.floor(Math.log2(observations(before)))
}

function observations({ sites }: AccessPointStatistics): number {
  return sites.sites.reduce((sum, { weight }) => sum + weight, 0) / WHOLE_WEIGHT
}
