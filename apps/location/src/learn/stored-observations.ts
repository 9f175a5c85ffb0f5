import {
  encodeContribution,
  type StoredContribution,
} from '@bearing/positioning/learning/evidence/contribution-codec'
import type pg from 'pg'
import { packBytes } from '../ground/packed-bytes.js'
import { readRows } from '../ground/read-rows.js'
import type { ObservationUpdate } from './submission.js'

const STORE = {
  name: 'store-observations',
  text: `
    INSERT INTO observations (id, organization_id, project_id, received_at, refusal, contribution, height)
    SELECT id, organization, project, $1::timestamptz, refusal, CASE WHEN length > 0 THEN substr($2::bytea, start, length) END,
      CASE WHEN length > 0 THEN height::jsonb END
    FROM unnest($3::uuid[], $4::uuid[], $5::uuid[], $6::text[], $7::int[], $8::int[], $9::text[]) WITH ORDINALITY
      AS given (id, organization, project, refusal, start, length, height, number)
    ORDER BY number
    ON CONFLICT (id) DO NOTHING RETURNING id`,
  columns: { id: 'uuid' },
} as const

/**
 * Stores observations in the order of their ids. Observations that are stored already were learned before.
 *
 * @param client in the transaction that learns from them
 * @returns the new ones, each once
 */
export async function storeObservations(
  client: pg.ClientBase,
  updates: readonly ObservationUpdate[],
  keepNothing: ReadonlySet<string>,
  now: Date,
): Promise<ObservationUpdate[]> {
  const byId = new Map(updates.map((one) => [one.observation.id, one] as const))
  const sorted = [...byId.values()].sort((a, b) => (a.observation.id < b.observation.id ? -1 : 1))
  const { bytes, starts, lengths } = packBytes(
    sorted.map((one) =>
      keepNothing.has(one.observation.organizationId) ? NOTHING : encodeContribution(storedContribution(one)),
    ),
  )
  const rows = await readRows(client, STORE, [
    now,
    bytes,
    sorted.map(({ observation }) => observation.id),
    sorted.map(({ observation }) => observation.organizationId),
    sorted.map(({ observation }) => observation.projectId),
    sorted.map(({ update }) => (update.accepted ? null : update.reason)),
    starts,
    lengths,
    sorted.map(({ observation }) => heightText(observation.contribution)),
  ])
  return rows.flatMap(({ id }) => byId.get(id) ?? [])
}

/** Returns the organizations that keep no observations. */
export async function readKeepNothing(
  client: pg.ClientBase,
  organizationIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const text = `SELECT organization_id FROM location_settings WHERE organization_id = ANY ($1::uuid[]) AND retention_days = 0`
  const columns = { organization_id: 'uuid' } as const
  const rows = await readRows(client, { name: 'keep-nothing', text, columns }, [organizationIds])
  return new Set(rows.map((row) => row.organization_id))
}

const NOTHING = new Uint8Array()

/** Returns what a contribution says of its height, as it is stored beside it: the version before reads its bytes too. */
export function heightText({ height }: Pick<StoredContribution, 'height'>): string | null {
  return height ? JSON.stringify(height) : null
}

/** Returns a contribution with what is learned from it. */
export function storedContribution({ observation, update }: ObservationUpdate): StoredContribution {
  return {
    ...observation.contribution,
    learned: update.accepted ? update.readings : [],
    cells: update.accepted ? update.cells : [],
  }
}
