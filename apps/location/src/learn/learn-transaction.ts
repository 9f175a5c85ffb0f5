import type pg from 'pg'
import { SHARED_LAYER } from '../ground/layer.js'
import { tryLayers } from '../ground/locks.js'
import { readErasedTenants } from '../ground/erased-tenants.js'
import { ACCESS_POINT } from '../ground/stations/access-point.js'
import { RADIO_CELL } from '../ground/stations/radio-cell.js'
import { readTombstones, type Tombstones } from '../ground/tombstones.js'
import type { SharingPolicy } from '../sharing/sharing-policy.js'
import { addEvidence } from './add-evidence.js'
import { keepDeviceTracks, lockDeviceTracks } from './device-tracks.js'
import { evidenceFrom, type Part } from './evidence.js'
import { keepReferences, type OfferedScan } from './reference-scans.js'
import {
  isShared,
  readTerms,
  storedContribution,
  storeObservations,
  termsOf,
  type Terms,
} from './stored-observations.js'
import { devicesOf, updatesFrom, type ObservationUpdate, type Submission } from './submission.js'
import { withoutCopies } from './without-copies.js'

/** What a transaction has learned. */
export interface Learned {
  /** BSSIDs by layer that were not known, or of which much more is known now. */
  readonly grown: ReadonlyMap<string, readonly number[]>
  /** Projects whose reference scans have changed, with their organizations. */
  readonly projects: ReadonlyMap<string, string>
  /** Submissions to retry: one of their layers is being rebuilt. */
  readonly postponed: readonly Submission[]
}

/**
 * Learns from submissions, all or nothing, and from each observation once: its id is stored in the same transaction. So
 * redeliveries and crashes change nothing. Submissions for layers that are being rebuilt are postponed and do not delay others.
 *
 * Locks are taken in the order of `locks.ts`; layers without waiting.
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
  const { terms, accepted, postponed } = await begin(client, offered, policy)
  if (accepted.length === 0) {
    await client.query('COMMIT')
    return { grown: new Map(), projects: new Map(), postponed }
  }
  const shares = accepted.flat().some((one) => isShared(one, terms))
  const submissions = await withoutErased(client, await withoutCopies(client, accepted))
  const contributions = submissions.flat().map(({ contribution }) => contribution)
  const tombstones = shares ? await readTombstones(client, SHARED_LAYER, contributions) : undefined
  const before = await lockDeviceTracks(client, devicesOf(submissions))
  const { updates, tracks } = updatesFrom(submissions, before, now.getTime() / 1_000)
  const added = await storeObservations(client, updates, terms, now)
  await keepDeviceTracks(client, tracks, before, now)
  const parts = added.flatMap((one) => partsOf(one, terms, tombstones))
  const grown = await addEvidence(client, ACCESS_POINT, evidenceFrom(ACCESS_POINT, parts), now)
  const offers = added.flatMap((one) => offersOf(one, terms, now))
  const projects = await keepReferences(client, offers)
  await addEvidence(client, RADIO_CELL, evidenceFrom(RADIO_CELL, parts), now)
  await client.query('COMMIT')
  const byLayer = Map.groupBy(grown, ({ layer }) => layer)
  const bssids = [...byLayer].map(([layer, some]) => [layer, some.map(({ key }) => key)] as const)
  return { grown: new Map(bssids), projects, postponed }
}

interface Begun {
  readonly terms: ReadonlyMap<string, Terms>
  readonly accepted: readonly Submission[]
  readonly postponed: readonly Submission[]
}

/** Reads the terms under the locks: an organization that has stopped sharing before does not share. */
async function begin(
  client: pg.ClientBase,
  offered: readonly Submission[],
  policy: SharingPolicy,
): Promise<Begun> {
  const organizations = [...new Set(offered.flat().map(({ organizationId }) => organizationId))]
  const isShareable = offered.flat().some(({ shareable }) => shareable)
  const held = await tryLayers(client, isShareable ? [...organizations, SHARED_LAYER] : organizations)
  const terms = await readTerms(client, organizations, policy)
  const erased = await readErasedTenants(client, organizations)
  const isFree = (submission: Submission) =>
    submission.every(
      (one) => held.has(one.organizationId) && (held.has(SHARED_LAYER) || !isShared(one, terms)),
    )
  return {
    terms,
    accepted: offered.filter(isFree).map((submission) => erased.removeFrom(submission)),
    postponed: offered.filter((submission) => !isFree(submission)),
  }
}

/** Removes what their organizations have erased: it is neither learned nor stored. */
async function withoutErased(
  client: pg.ClientBase,
  submissions: readonly Submission[],
): Promise<readonly Submission[]> {
  const organizations = Map.groupBy(submissions.flat(), ({ organizationId }) => organizationId)
  const erased = new Map<string, Tombstones>()
  for (const [organization, observations] of organizations) {
    const contributions = observations.map(({ contribution }) => contribution)
    erased.set(organization, await readTombstones(client, organization, contributions))
  }
  return submissions.map((submission) =>
    submission.map((observation) => {
      const contribution = erased.get(observation.organizationId)?.removeFrom(observation.contribution)
      return contribution ? { ...observation, contribution } : observation
    }),
  )
}

/** @param tombstones of the shared layer; undefined if nobody shares */
function partsOf(
  { observation, update }: ObservationUpdate,
  terms: ReadonlyMap<string, Terms>,
  tombstones: Tombstones | undefined,
): Part[] {
  if (!update.accepted) return []
  const { organizationId } = observation
  const contribution = storedContribution({ observation, update })
  const own: Part = { organizationId, layers: [organizationId], contribution }
  if (!tombstones || !isShared(observation, terms)) return [own]
  const kept = tombstones.removeFrom(contribution)
  // What the organization keeps may still be erased from the shared layer, which is the operator's.
  return kept === contribution
    ? [{ ...own, layers: [organizationId, SHARED_LAYER] }]
    : [own, { organizationId, layers: [SHARED_LAYER], contribution: kept }]
}

/** Returns nothing of organizations that keep no observations: a reference scan says a place and a time. */
function offersOf(
  { observation, update }: ObservationUpdate,
  terms: ReadonlyMap<string, Terms>,
  receivedAt: Date,
): OfferedScan[] {
  const { id, organizationId, projectId, contribution } = observation
  if (!update.accepted || !termsOf(organizationId, terms).keeps) return []
  const { lat, lon, accuracyMeters, atSeconds } = contribution
  const { readings } = update
  const scan = { lat, lon, accuracyMeters, atSeconds, heard: readings.length, readings }
  return [{ id, organizationId, projectId, receivedAt, ...scan }]
}
