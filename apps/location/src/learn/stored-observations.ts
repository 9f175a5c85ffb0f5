import { encodeContribution, type StoredContribution } from '@bearing/positioning/learning/contribution-codec'
import type pg from 'pg'
import { MAY_SHARE, type SharingPolicy } from '../sharing/sharing-policy.js'
import { packBytes } from '../ground/packed-bytes.js'
import type { ObservationUpdate, QueuedObservation } from './submission.js'

/** How an organization contributes. */
export interface Terms {
  /** Whether its observations go into the shared layer: it set `share_observations`, and the operator allows it. */
  readonly shares: boolean
  /** Whether its contributions are stored at all. */
  readonly keeps: boolean
}

const DEFAULT_TERMS: Terms = { shares: false, keeps: true }

const STORE = `
  INSERT INTO observations (id, organization_id, project_id, received_at, shared, refusal, contribution)
  SELECT id, organization, project, $1::timestamptz, shared, refusal, CASE WHEN length > 0 THEN substr($2::bytea, start, length) END
  FROM unnest($3::uuid[], $4::uuid[], $5::uuid[], $6::bool[], $7::text[], $8::int[], $9::int[]) WITH ORDINALITY
    AS given (id, organization, project, shared, refusal, start, length, number)
  ORDER BY number
  ON CONFLICT (id) DO NOTHING RETURNING id`

/**
 * Stores observations in the order of their ids. Observations that are stored already were learned before.
 *
 * @param client in the transaction that learns from them
 * @returns the new ones, each once
 */
export async function storeObservations(
  client: pg.ClientBase,
  updates: readonly ObservationUpdate[],
  terms: ReadonlyMap<string, Terms>,
  now: Date,
): Promise<ObservationUpdate[]> {
  const byId = new Map(updates.map((one) => [one.observation.id, one] as const))
  const sorted = [...byId.values()].sort((a, b) => (a.observation.id < b.observation.id ? -1 : 1))
  const { bytes, starts, lengths } = packBytes(
    sorted.map((one) =>
      termsOf(one.observation.organizationId, terms).keeps
        ? encodeContribution(storedContribution(one))
        : NOTHING,
    ),
  )
  const { rows } = await client.query<[string]>({
    name: 'store-observations',
    text: STORE,
    values: [
      now,
      bytes,
      sorted.map(({ observation }) => observation.id),
      sorted.map(({ observation }) => observation.organizationId),
      sorted.map(({ observation }) => observation.projectId),
      sorted.map(({ observation }) => isShared(observation, terms)),
      sorted.map(({ update }) => (update.accepted ? null : update.reason)),
      starts,
      lengths,
    ],
    rowMode: 'array',
  })
  return rows.flatMap(([id]) => byId.get(id) ?? [])
}

/** Returns the terms of organizations that have set them. */
export async function readTerms(
  client: pg.ClientBase,
  organizationIds: readonly string[],
  policy: SharingPolicy,
): Promise<Map<string, Terms>> {
  const { rows } = await client.query<[string, boolean, number]>({
    name: `read-terms-${policy}`,
    text: `SELECT organization_id, ${MAY_SHARE[policy]}, retention_days FROM location_settings WHERE organization_id = ANY ($1::uuid[])`,
    values: [organizationIds],
    rowMode: 'array',
  })
  return new Map(rows.map(([id, shares, days]) => [id, { shares, keeps: days > 0 }]))
}

export function termsOf(organizationId: string, terms: ReadonlyMap<string, Terms>): Terms {
  return terms.get(organizationId) ?? DEFAULT_TERMS
}

/** Returns whether an observation goes into the shared layer as well. */
export function isShared(
  { organizationId, shareable }: QueuedObservation,
  terms: ReadonlyMap<string, Terms>,
): boolean {
  return shareable && termsOf(organizationId, terms).shares
}

const NOTHING = new Uint8Array()

/** Returns a contribution with what is learned from it. */
export function storedContribution({ observation, update }: ObservationUpdate): StoredContribution {
  return {
    ...observation.contribution,
    learned: update.accepted ? update.readings : [],
    cells: update.accepted ? update.cells : [],
  }
}
