import { modelOf } from '@bearing/positioning/learning/model-of'
import type { AccessPointStatistics } from '@bearing/positioning/learning/statistics'
import { decodeStatistics, encodeStatistics } from '@bearing/positioning/learning/statistics-codec'
import { mayTouchArea, statisticsWithoutArea } from '@bearing/positioning/learning/statistics-without-area'
import {
  ACCESS_POINT_BOUNDS,
  contributorsWithout,
  decodeContributors,
  type Contributors,
} from '@bearing/positioning/learning/contributors'
import { squaresOutside } from '@bearing/positioning/learning/squares-outside'
import type pg from 'pg'
import { lockLayers } from '../ground/locks.js'
import type { Addition } from '../learn/add-statistics.js'
import { NUMBERS, packBytes, packContributors } from '../ground/packed-bytes.js'
import { untilDone } from './short-transaction.js'
import { insideOf, type Area } from '../ground/tombstones.js'

/** Access points that are read at once: few enough that a look-up never waits for long. */
const PAGE = 500
/** Access points that are removed at once. */
const REMOVED_AT_ONCE = 5_000

type Row = readonly [bssid: number, statistics: Buffer, contributors: Buffer | null]
/** What is left of an access point. */
type Kept = Pick<Addition, 'bssid' | 'statistics' | 'contributors'>
/** What areas leave of an access point: itself, a part of it, nothing; or it is forgotten itself, since it is in one. */
type Left = AccessPointStatistics | 'nothing' | 'forgotten'

/**
 * Takes what was heard in areas out of what a layer has learned of access points. Those whose place is in one are forgotten by
 * their addresses, as if somebody had named them: they are heard from around it, too.
 *
 * @param client in no transaction; whoever learns has seen the areas
 * @returns after each page: that others may have their turn
 */
export async function* sweepLearned(
  client: pg.ClientBase,
  layer: string,
  areas: readonly Area[],
  now: Date,
): AsyncGenerator<'blocked' | undefined, void, undefined> {
  const text = `SELECT bssid, statistics, NULL FROM learned_access_points
    WHERE organization_id = $1 AND bssid > $2 ORDER BY bssid LIMIT ${String(PAGE)}`
  for (let last = 0; ;) {
    const { rows } = await client.query<[...Row]>({
      text,
      values: [layer, last],
      rowMode: 'array',
      types: NUMBERS,
    })
    const found = rows.filter(([, bytes]) => {
      const statistics = decodeStatistics(bytes)
      return leftOf(statistics, areas) !== statistics
    })
    if (found.length > 0)
      yield* untilDone(client, () =>
        rewrite(
          client,
          { layer, areas, now },
          found.map(([bssid]) => bssid),
        ),
      )
    last = rows.at(-1)?.[0] ?? last
    if (rows.length < PAGE) return
    yield undefined
  }
}

/**
 * Takes access points out of what a layer has learned.
 *
 * @param client in no transaction; whoever learns has seen that they were forgotten
 */
export async function* removeLearned(
  client: pg.ClientBase,
  layer: string,
  bssids: readonly number[],
): AsyncGenerator<'blocked', void, undefined> {
  for (let start = 0; start < bssids.length; start += REMOVED_AT_ONCE)
    yield* untilDone(client, async () => {
      await lockLayers(client, [layer])
      await remove(client, layer, bssids.slice(start, start + REMOVED_AT_ONCE))
    })
}

/** Whoever learns goes on; who learns it anew, or imports, waits. Rows are locked in the order of addresses, as by who learns. */
async function rewrite(
  client: pg.ClientBase,
  { layer, areas, now }: { layer: string; areas: readonly Area[]; now: Date },
  bssids: readonly number[],
): Promise<void> {
  await lockLayers(client, [layer])
  await client.query('SELECT FROM layers WHERE organization_id = $1 FOR UPDATE', [layer])
  const { rows } = await client.query<[...Row]>({
    text: `SELECT bssid, statistics, contributors FROM learned_access_points
      WHERE organization_id = $1 AND bssid = ANY ($2::bigint[]) ORDER BY bssid FOR UPDATE`,
    values: [layer, bssids],
    rowMode: 'array',
    types: NUMBERS,
  })
  const gone: number[] = []
  const forgotten: number[] = []
  const kept: Kept[] = []
  for (const [bssid, bytes, contributors] of rows) {
    const left = leftOf(decodeStatistics(bytes), areas)
    if (left === 'forgotten') forgotten.push(bssid)
    else if (left === 'nothing') gone.push(bssid)
    else kept.push({ bssid, statistics: left, contributors: contributorsLeft(contributors, areas) })
  }
  await remove(client, layer, [...gone, ...forgotten])
  await keep(client, layer, kept, now)
  await forget(client, layer, forgotten, now)
}

function leftOf(statistics: AccessPointStatistics, areas: readonly Area[]): Left {
  const near = areas.filter((area) => mayTouchArea(statistics, area, area.radius))
  if (near.length === 0) return statistics
  const place = modelOf(statistics)
  if (place && near.some((area) => insideOf(area)(place))) return 'forgotten'
  let left = statistics
  for (const area of near) {
    const without = statisticsWithoutArea(left, area, area.radius)
    if (!without) return 'nothing'
    left = without
  }
  return left
}

/** The contributors without the squares that have a part in an area. */
function contributorsLeft(bytes: Buffer | null, areas: readonly Area[]): Contributors {
  return areas.reduce<Contributors>(
    (left, area) => contributorsWithout(left, squaresOutside(area, area.radius), ACCESS_POINT_BOUNDS),
    decodeContributors(bytes),
  )
}

async function remove(client: pg.ClientBase, layer: string, bssids: readonly number[]): Promise<void> {
  await client.query(
    `WITH gone AS MATERIALIZED (
       SELECT bssid FROM learned_access_points WHERE organization_id = $1 AND bssid = ANY ($2::bigint[])
       ORDER BY bssid FOR UPDATE
     ) DELETE FROM learned_access_points AS known USING gone WHERE organization_id = $1 AND known.bssid = gone.bssid`,
    [layer, bssids],
  )
}

async function keep(client: pg.ClientBase, layer: string, kept: readonly Kept[], now: Date): Promise<void> {
  const { bytes, starts, lengths } = packBytes(kept.map(({ statistics }) => encodeStatistics(statistics)))
  const more = packContributors(kept)
  await client.query(
    `UPDATE learned_access_points AS known SET statistics = substr($2::bytea, start, length), updated_at = $6,
       contributors = CASE WHEN length_of_more > 0 THEN substr($7::bytea, start_of_more, length_of_more) END
     FROM unnest($3::bigint[], $4::int[], $5::int[], $8::int[], $9::int[])
       AS given (bssid, start, length, start_of_more, length_of_more)
     WHERE organization_id = $1 AND known.bssid = given.bssid`,
    [
      ...[layer, bytes, kept.map(({ bssid }) => bssid), starts, lengths, now],
      ...[more.bytes, more.starts, more.lengths],
    ],
  )
}

/** What was imported of them goes too, as where they are named (`forget-access-point.ts`). */
async function forget(
  client: pg.ClientBase,
  layer: string,
  bssids: readonly number[],
  now: Date,
): Promise<void> {
  if (bssids.length === 0) return
  await client.query(
    `INSERT INTO forgotten_access_points SELECT $1, bssid, $3, NULL FROM unnest($2::bigint[]) AS given (bssid) ORDER BY bssid
     ON CONFLICT (organization_id, bssid) DO UPDATE SET swept_at = NULL`,
    [layer, bssids, now],
  )
  await client.query(
    `WITH gone AS (
       DELETE FROM access_points WHERE organization_id = $1 AND bssid = ANY ($2::bigint[]) RETURNING observations
     ) UPDATE layers SET access_points = access_points - (SELECT count(*) FROM gone),
       observations = observations - (SELECT coalesce(sum(observations), 0) FROM gone), updated_at = $3
     WHERE organization_id = $1`,
    [layer, bssids, now],
  )
}
