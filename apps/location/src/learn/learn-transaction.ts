import { cellLessonsFrom } from '@bearing/positioning/learning/learn'
import type pg from 'pg'
import { SHARED_LAYER } from '../ground/layer.js'
import { addCellStatistics } from './add-cell-statistics.js'
import { addStatistics, type Addition } from './add-statistics.js'
import { additionsFrom, cellAdditionsFrom, type Part } from './evidence.js'
import { keepDeviceTracks, lockDeviceTracks } from './device-tracks.js'
import { keepReferences, type OfferedScan } from './reference-scans.js'
import { readForgottenOf, type Forgotten } from '../ground/tombstones.js'
import { leaveOutCopies } from './without-copies.js'
import { heardIn, keptPart, leaveOutForgotten } from './without-erased.js'
import { tryLayers } from '../ground/locks.js'
import { isShared, readTerms, storeObservations, termsOf, type Terms } from './stored-observations.js'
import type { SharingPolicy } from '../sharing/sharing-policy.js'
import { devicesOf, lessonsOf, type Submission, type Taught } from './submission.js'

/** What has come of learning. */
export interface Learned {
  /** Access points that were not known, or of which much more is known now. */
  readonly grown: readonly Addition[]
  /** Projects whose reference scans have changed, with their organizations. */
  readonly projects: ReadonlyMap<string, string>
  /** Submissions that nothing was learned from, since a layer that they go into is being learned anew: to be tried again. */
  readonly postponed: readonly Submission[]
}

/**
 * Learns from submissions, all or nothing, and from each observation once: its id is stored in the transaction that adds
 * what it teaches. So it makes no difference how often a submission comes, nor where a process dies. Those that go into a
 * layer which somebody has for himself are left for later, and hold up no others.
 *
 * Whoever learns takes locks in one order: layers (without waiting), devices, observations, access points, projects, radio
 * cells.
 *
 * @param client a connection that nobody else uses
 * @param policy which organizations may contribute to the shared layer
 */
export async function learn(
  client: pg.ClientBase,
  offered: readonly Submission[],
  now: Date,
  policy: SharingPolicy = 'approved',
): Promise<Learned> {
  await client.query('BEGIN')
  const { terms, submitted, postponed } = await begin(client, offered, policy)
  if (submitted.length === 0) {
    await client.query('COMMIT')
    return { grown: [], projects: new Map(), postponed }
  }
  const shares = submitted.flat().some((one) => isShared(one, terms))
  const submissions = await leaveOutForgotten(client, await leaveOutCopies(client, submitted))
  const forgotten = shares
    ? await readForgottenOf(client, SHARED_LAYER, heardIn(submissions.flat()))
    : undefined
  const before = await lockDeviceTracks(client, devicesOf(submissions))
  const { taught, tracks } = lessonsOf(submissions, before, now.getTime() / 1_000)
  const news = await storeObservations(client, taught, terms, now)
  await keepDeviceTracks(client, tracks, before, now)
  const parts = news.flatMap((one) => partsOf(one, terms, forgotten))
  const grown = await addStatistics(client, additionsFrom(parts), now)
  const projects = await keepReferences(
    client,
    news.flatMap((one) => offersOf(one, terms, now)),
  )
  await addCellStatistics(client, cellAdditionsFrom(parts), now)
  await client.query('COMMIT')
  return { grown, projects, postponed }
}

interface Begun {
  readonly terms: ReadonlyMap<string, Terms>
  readonly submitted: readonly Submission[]
  readonly postponed: readonly Submission[]
}

/** The terms are read under the locks: who has stopped sharing before is heeded, whatever was waited for. */
async function begin(
  client: pg.ClientBase,
  offered: readonly Submission[],
  policy: SharingPolicy,
): Promise<Begun> {
  const organizations = [...new Set(offered.flat().map(({ organizationId }) => organizationId))]
  const isShareable = offered.flat().some(({ shareable }) => shareable)
  const held = await tryLayers(client, isShareable ? [...organizations, SHARED_LAYER] : organizations)
  const terms = await readTerms(client, organizations, policy)
  const isFree = (submission: Submission) =>
    submission.every(
      (one) => held.has(one.organizationId) && (held.has(SHARED_LAYER) || !isShared(one, terms)),
    )
  return {
    terms,
    submitted: offered.filter(isFree),
    postponed: offered.filter((submission) => !isFree(submission)),
  }
}

/** @param forgotten by the shared layer; undefined where nobody shares */
function partsOf(
  { submitted, lesson }: Taught,
  terms: ReadonlyMap<string, Terms>,
  forgotten: Forgotten | undefined,
): Part[] {
  if (!lesson.accepted) return []
  const { organizationId, contribution } = submitted
  const cells = cellLessonsFrom(contribution, lesson.cells)
  const own: Part = { layers: [organizationId], statistics: lesson.statistics, cells }
  if (!forgotten || !isShared(submitted, terms)) return [own]
  const { lat, lon } = contribution
  const shared: Part = { ...own, layers: [SHARED_LAYER], origin: { organization: organizationId, lat, lon } }
  return [own, keptPart(shared, contribution, forgotten)]
}

/** Of who keeps no observations nothing is kept that tells a place and a time. */
function offersOf(
  { submitted, lesson }: Taught,
  terms: ReadonlyMap<string, Terms>,
  receivedAt: Date,
): OfferedScan[] {
  const { id, organizationId, projectId, contribution } = submitted
  if (!lesson.accepted || !termsOf(organizationId, terms).keeps) return []
  const { lat, lon, accuracyMeters, atSeconds } = contribution
  const { readings } = lesson
  const scan = { lat, lon, accuracyMeters, atSeconds, heard: readings.length, readings }
  return [{ id, organizationId, projectId, receivedAt, ...scan }]
}
