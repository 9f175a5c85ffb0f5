import { merge, type AccessPointStatistics } from '@bearing/positioning/learning/statistics'
import type pg from 'pg'
import { SHARED_LAYER } from '../layer.js'
import { addStatistics, keyOf, type Addition } from './add-statistics.js'
import { keepDeviceScans, lockDeviceScans } from './device-scans.js'
import { lockLayers } from './layer-lock.js'
import { readTerms, storeObservations, type Terms } from './stored-observations.js'
import { latestScans, lessonsOf, type Submission, type Taught } from './submitted.js'

/** What has come of learning. */
export interface Learned {
  /** Observations that something was learned from. */
  readonly observations: number
  /** Access points that were not known, or of which much more is known now. */
  readonly grown: readonly Addition[]
}

/**
 * Learns from submissions, all or nothing, and from each observation once: its id is stored in the transaction that adds
 * what it teaches. So it makes no difference how often a submission comes, nor where a process dies.
 *
 * Whoever learns takes locks in one order: layers, devices, observations, access points.
 *
 * @param client a connection that nobody else uses
 */
export async function learn(
  client: pg.ClientBase,
  submissions: readonly Submission[],
  now: Date,
): Promise<Learned> {
  await client.query('BEGIN')
  const organizations = [...new Set(submissions.flat().map(({ organizationId }) => organizationId))]
  const terms = await readTerms(client, organizations)
  const shares = [...terms.values()].some((each) => each.shares)
  await lockLayers(client, shares ? [...organizations, SHARED_LAYER] : organizations)
  const latest = latestScans(submissions)
  const before = await lockDeviceScans(client, latest.keys())
  const taught = lessonsOf(submissions, before, now.getTime() / 1_000)
  const news = await storeObservations(client, taught, terms, now)
  await keepDeviceScans(client, latest, before, now)
  const grown = await addStatistics(client, additionsOf(news, terms), now)
  await client.query('COMMIT')
  return { observations: news.filter(({ lesson }) => lesson.accepted).length, grown }
}

/** What observations add to the layers, each access point of a layer once. */
function additionsOf(taught: readonly Taught[], terms: ReadonlyMap<string, Terms>): Addition[] {
  const parts = new Map<string, { layer: string; bssid: number; parts: AccessPointStatistics[] }>()
  for (const { submitted, lesson } of taught) {
    if (!lesson.accepted) continue
    const { organizationId } = submitted
    const layers = terms.get(organizationId)?.shares ? [organizationId, SHARED_LAYER] : [organizationId]
    for (const layer of layers)
      for (const [bssid, statistics] of lesson.statistics) {
        const key = keyOf(bssid, layer)
        const known = parts.get(key)
        if (known) known.parts.push(statistics)
        else parts.set(key, { layer, bssid, parts: [statistics] })
      }
  }
  return [...parts.values()].map(({ layer, bssid, parts: list }) => ({
    layer,
    bssid,
    statistics: merge(list),
  }))
}
