import type pg from 'pg'
import { tryLayers } from '../ground/locks.js'
import { readErasedTenants } from '../ground/erased-tenants.js'
import { ACCESS_POINT } from '../ground/stations/access-point.js'
import { RADIO_CELL } from '../ground/stations/radio-cell.js'
import { readTombstones, type Tombstones } from '../ground/tombstones.js'
import { addEvidence } from './add-evidence.js'
import { keepDeviceTracks, lockDeviceTracks } from './device-tracks.js'
import { evidenceFrom, type Part } from './evidence.js'
import { keepReferences, type OfferedScan } from './reference-scans.js'
import { readKeepNothing, storedContribution, storeObservations } from './stored-observations.js'
import { devicesOf, updatesFrom, type ObservationUpdate, type Submission } from './submission.js'
import { oncePerNetwork } from './once-per-network.js'
import { withoutCopies } from './without-copies.js'

/** Result of a transaction that learns. */
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
 */
export async function learn(
  client: pg.ClientBase,
  offered: readonly Submission[],
  now: Date,
): Promise<Learned> {
  await client.query('BEGIN')
  const { keepNothing, accepted, postponed } = await begin(client, offered)
  if (accepted.length === 0) {
    await client.query('COMMIT')
    return { grown: new Map(), projects: new Map(), postponed }
  }
  const submissions = await withoutErased(client, await withoutCopies(client, accepted))
  const before = await lockDeviceTracks(client, devicesOf(submissions))
  const { updates: heard, tracks } = updatesFrom(submissions, before, now.getTime() / 1_000)
  const updates = await oncePerNetwork(client, heard, now)
  const added = await storeObservations(client, updates, keepNothing, now)
  await keepDeviceTracks(client, tracks, before, now)
  const parts = added.flatMap((one) => partsOf(one))
  const grown = await addEvidence(client, ACCESS_POINT, evidenceFrom(ACCESS_POINT, parts), now)
  const offers = added.flatMap((one) => offersOf(one, keepNothing, now))
  const projects = await keepReferences(client, offers)
  await addEvidence(client, RADIO_CELL, evidenceFrom(RADIO_CELL, parts), now)
  await client.query('COMMIT')
  const byLayer = Map.groupBy(grown, ({ layer }) => layer)
  const bssids = [...byLayer].map(([layer, some]) => [layer, some.map(({ key }) => key)] as const)
  return { grown: new Map(bssids), projects, postponed }
}

interface Begun {
  /** Organizations that keep no observations. */
  readonly keepNothing: ReadonlySet<string>
  readonly accepted: readonly Submission[]
  readonly postponed: readonly Submission[]
}

async function begin(client: pg.ClientBase, offered: readonly Submission[]): Promise<Begun> {
  const organizations = [...new Set(offered.flat().map(({ organizationId }) => organizationId))]
  const held = await tryLayers(client, organizations)
  const keepNothing = await readKeepNothing(client, organizations)
  const erased = await readErasedTenants(client, organizations)
  const isFree = (submission: Submission) =>
    submission.every(({ organizationId }) => held.has(organizationId))
  return {
    keepNothing,
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

function partsOf({ observation, update }: ObservationUpdate): Part[] {
  if (!update.accepted) return []
  return [{ layer: observation.organizationId, contribution: storedContribution({ observation, update }) }]
}

/** Returns nothing of organizations that keep no observations: a reference scan says a place and a time. */
function offersOf(
  { observation, update }: ObservationUpdate,
  keepNothing: ReadonlySet<string>,
  receivedAt: Date,
): OfferedScan[] {
  const { id, organizationId, projectId, contribution } = observation
  if (!update.accepted || keepNothing.has(organizationId)) return []
  const { lat, lon, accuracyMeters, atSeconds, height } = contribution
  const { readings } = update
  const scan = { lat, lon, accuracyMeters, atSeconds, height, heard: readings.length, readings }
  return [{ id, organizationId, projectId, receivedAt, ...scan }]
}
