import { encodeContribution } from '@bearing/positioning/learning/contribution-codec'
import type pg from 'pg'
import { MAY_SHARE, type SharingPolicy } from '../sharing/sharing-policy.js'
import { packBytes } from '../ground/packed-bytes.js'
import type { Submitted, Taught } from './submission.js'

/** What of an organization's settings matters when its observations are learned from. */
export interface Terms {
  /** Whether its observations go into the shared layer: it wants that, and the operator allows it. */
  readonly shares: boolean
  /** Whether contributions are kept at all. */
  readonly keeps: boolean
}

const DEFAULT_TERMS: Terms = { shares: false, keeps: true }

/** In the order of ids, so that two who store the same wait for one another and never for each other. */
const STORE = `
  INSERT INTO observations (id, organization_id, project_id, received_at, shared, refusal, contribution)
  SELECT id, organization, project, $1::timestamptz, shared, refusal, CASE WHEN length > 0 THEN substr($2::bytea, start, length) END
  FROM unnest($3::uuid[], $4::uuid[], $5::uuid[], $6::bool[], $7::text[], $8::int[], $9::int[]) WITH ORDINALITY
    AS given (id, organization, project, shared, refusal, start, length, number)
  ORDER BY number
  ON CONFLICT (id) DO NOTHING RETURNING id`

/**
 * Stores observations: those that are stored already were learned from already.
 *
 * @param client in the transaction that learns from them
 * @returns those that are new, each once
 */
export async function storeObservations(
  client: pg.ClientBase,
  taught: readonly Taught[],
  terms: ReadonlyMap<string, Terms>,
  now: Date,
): Promise<Taught[]> {
  const byId = new Map(taught.map((one) => [one.submitted.id, one] as const))
  const sorted = [...byId.values()].sort((a, b) => (a.submitted.id < b.submitted.id ? -1 : 1))
  const { bytes, starts, lengths } = packBytes(
    sorted.map((one) => (termsOf(one.submitted.organizationId, terms).keeps ? encode(one) : NOTHING)),
  )
  const { rows } = await client.query<[string]>({
    name: 'store-observations',
    text: STORE,
    values: [
      now,
      bytes,
      sorted.map(({ submitted }) => submitted.id),
      sorted.map(({ submitted }) => submitted.organizationId),
      sorted.map(({ submitted }) => submitted.projectId),
      sorted.map(({ submitted }) => isShared(submitted, terms)),
      sorted.map(({ lesson }) => (lesson.accepted ? null : lesson.reason)),
      starts,
      lengths,
    ],
    rowMode: 'array',
  })
  return rows.flatMap(([id]) => byId.get(id) ?? [])
}

/** The terms of organizations that have set them, by organization. */
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

/** The terms of one of them. */
export function termsOf(organizationId: string, terms: ReadonlyMap<string, Terms>): Terms {
  return terms.get(organizationId) ?? DEFAULT_TERMS
}

/** Whether an observation goes into the shared layer as well. */
export function isShared(
  { organizationId, shareable }: Submitted,
  terms: ReadonlyMap<string, Terms>,
): boolean {
  return shareable && termsOf(organizationId, terms).shares
}

const NOTHING = new Uint8Array()

function encode({ submitted, lesson }: Taught): Uint8Array {
  return encodeContribution({
    ...submitted.contribution,
    learned: lesson.accepted ? lesson.readings : [],
    cells: lesson.accepted ? lesson.cells : [],
  })
}
