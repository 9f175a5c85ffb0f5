import { isDeepStrictEqual } from 'node:util'
import type { Transaction } from '../../ground/database.js'
import type { Attributes } from './scim-patch.js'

const SCHEMA = 'urn:bearing:scim:api:messages:1.0:DryRun'

interface Access {
  readonly user_id: string
  readonly email: string
  readonly role: string
  readonly projects: readonly { readonly project_id: string; readonly role: string }[]
}

/** Ends the transaction of a write that only shows what it would change. */
export class DryRun extends Error {
  override readonly name = 'DryRun'

  constructor(readonly report: Attributes) {
    super('dry run')
  }
}

/** Returns the members of an organization with their roles. */
export function accessIn(transaction: Transaction, organizationId: string): Promise<Access[]> {
  return transaction.$queryRaw<Access[]>`
    SELECT m.user_id, u.email, m.role,
           (SELECT coalesce(jsonb_agg(jsonb_build_object('project_id', p.project_id, 'role', p.role) ORDER BY p.project_id), '[]')
            FROM project_members p
            WHERE p.user_id = m.user_id AND p.organization_id = m.organization_id) AS projects
    FROM memberships m JOIN users u ON u.id = m.user_id
    WHERE m.organization_id = ${organizationId}::uuid ORDER BY m.user_id`
}

/** Returns the resource that a write would leave, and what it would change of members. */
export function dryRun(
  resource: Attributes | null,
  before: readonly Access[],
  after: readonly Access[],
): DryRun {
  const left = new Map(after.map((access) => [access.user_id, access]))
  const changes = before.flatMap((access) => {
    const now = left.get(access.user_id) ?? null
    return isDeepStrictEqual(access, now) ? [] : [{ before: access, after: now }]
  })
  return new DryRun({ schemas: [SCHEMA], resource, changes })
}
