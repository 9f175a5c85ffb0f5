import { DAY_MS } from '@bearing/contracts/durations'
import {
  decodeContribution,
  type StoredContribution,
} from '@bearing/positioning/learning/evidence/contribution-codec'
import type { Height } from '@bearing/positioning/earth/height'
import type pg from 'pg'
import type { Database } from '../../ground/database.js'
import { readTombstones, type Tombstones } from '../../ground/tombstones.js'
import { inTurns } from '../../ground/in-turns.js'
import type { Scope } from '../../ground/scope.js'
import { viewSettings } from '../settings/settings-view.js'

/** Observations of the organization that are looked at for one part: those of other projects lie between ours. */
const SCANNED = 500
/** Before every other. */
const FIRST: Place = { receivedAt: new Date(0), id: '00000000-0000-0000-0000-000000000000' }

/** The place of an observation in the order in which they came. */
export interface Place {
  readonly receivedAt: Date
  readonly id: string
}

/** An observation as it is stored. */
interface Stored extends Place {
  /** Null: it is another project's, nothing was learned from it, or it is not kept any more. */
  readonly contribution: StoredContribution | null
}

interface Found extends Place {
  readonly contribution: Uint8Array | null
  readonly height: Height | null
}

/** A part of what an organization has contributed. */
export interface StoredPart {
  /** In the order in which they came. */
  readonly rows: readonly Stored[]
  /** Stations and areas that their organization has erased; rows of these may not have been swept yet. */
  readonly tombstones: Tombstones
  /** True if no rows follow. */
  readonly isLast: boolean
}

/**
 * Reads what was contributed to a project and learned from, for as long as the organization keeps it.
 *
 * @param after the place behind which the part begins
 */
export async function readStored(
  { database, pool }: { readonly database: Database; readonly pool: Pick<pg.Pool, 'query'> },
  { organization_id: organizationId, project_id: projectId }: Scope,
  after: Place = FIRST,
  now: Date,
): Promise<StoredPart> {
  const settings = viewSettings(await database.locationSettings.findUnique({ where: { organizationId } }))
  const keptSince = new Date(now.getTime() - settings.observation_retention_days * DAY_MS)
  const found = await database.$queryRaw<Found[]>`
    SELECT received_at AS "receivedAt", id,
      CASE WHEN project_id = ${projectId}::uuid AND refusal IS NULL AND received_at >= ${keptSince}
        THEN contribution END AS contribution, height
    FROM observations
    WHERE organization_id = ${organizationId}::uuid AND received_at >= ${after.receivedAt}
      AND (received_at > ${after.receivedAt} OR id > ${after.id}::uuid)
    ORDER BY received_at, id LIMIT ${SCANNED}`
  const rows = await inTurns(decoded(found))
  const contributions = rows.flatMap(({ contribution }) => contribution ?? [])
  const tombstones = await readTombstones(pool, organizationId, contributions)
  return { rows, tombstones, isLast: found.length < SCANNED }
}

function* decoded(found: readonly Found[]): Generator<void, Stored[], undefined> {
  const rows: Stored[] = []
  for (const { contribution: bytes, height, ...place } of found) {
    const contribution = bytes && { ...decodeContribution(bytes), ...(height && { height }) }
    rows.push({ ...place, contribution })
    yield
  }
  return rows
}
