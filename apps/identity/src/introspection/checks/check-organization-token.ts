import { BOUND_TOKEN_PERMISSIONS, ORGANIZATION_TOKEN_PERMISSIONS } from '@bearing/access/roles'
import { ADMINISTRATION_PERMISSIONS } from '@bearing/contracts/identity/tokens/token-presets'
import { parseToken } from '@bearing/access/token-format'
import { ORGANIZATION_TOKEN, type Workload } from '@bearing/contracts/principal'
import { Injectable } from '@nestjs/common'
import { Clock } from '@bearing/service/ground/clock'
import { Prisma } from '../../generated/prisma/client.js'
import { Database } from '../../ground/database.js'
import { tokenState } from '../../ground/rules/token-state.js'
import { deletedState, type DeletedState } from '../../ground/tenant-states.js'
import { CheckSecret } from '../../ground/check-secret.js'
import { refuseDeleted } from './refuse-deleted.js'
import { RenewSecretHash } from './renew-secret-hash.js'
import type { Verdict } from './verdict.js'

interface Row {
  readonly organizationId: string
  readonly description: string
  readonly permissions: string[]
  readonly boundProjectIds: string[]
  readonly boundPermissions: string[]
  readonly allowedAddresses: string[]
  readonly workload: Workload | null
  readonly secretHash: Uint8Array
  readonly pepperId: string
  readonly expiresAt: Date | null
  readonly deletedAt: Date | null
  /** True if the policy of the organization forbids tokens that administer. */
  readonly administrationForbidden: boolean
  readonly organizationState: DeletedState
  /** Of a token that is bound to projects, if all of them are deleted. */
  readonly projectState: DeletedState
}

const ORGANIZATION_STATE = deletedState(Prisma.sql`organization_tokens.organization_id`)
const PROJECT_STATE = Prisma.sql`
  (SELECT CASE WHEN count(*) < cardinality(bound_project_ids) THEN NULL
               WHEN bool_or(d.state = 'stopped') THEN 'stopped' ELSE 'erasing' END
   FROM tenant_states d
   WHERE d.organization_id = organization_tokens.organization_id AND d.project_id = ANY (bound_project_ids)
     AND d.state <> 'active'
   HAVING cardinality(bound_project_ids) > 0)`

/** Authenticates organization auth tokens. */
@Injectable()
export class CheckOrganizationToken {
  constructor(
    private readonly database: Database,
    private readonly secret: CheckSecret,
    private readonly hashes: RenewSecretHash,
    private readonly clock: Clock,
  ) {}

  /** Reveals only to callers with the right secret that a token has expired. */
  async check(text: string): Promise<Verdict> {
    const token = parseToken(text)
    if (token?.kind !== ORGANIZATION_TOKEN) return 'malformed'
    const row = await this.find(token.id)
    const state = row && tokenState(row, this.clock.now())
    const isRefused = state !== undefined && state !== 'active'
    if (!this.secret.matches(token, row, isRefused ? 'wrong' : 'unverifiable') || !row) return 'unknown'
    if (state !== 'active') return state === 'deleted' ? 'unknown' : 'expired'
    const refused = refuseDeleted(row.organizationState, row.projectState)
    if (refused) return refused
    await this.hashes.renew(token, row)
    return {
      kind: ORGANIZATION_TOKEN,
      credential_id: token.id,
      organization_id: row.organizationId,
      description: row.description,
      permissions: ORGANIZATION_TOKEN_PERMISSIONS.filter(
        (permission) =>
          row.permissions.includes(permission) &&
          !(row.administrationForbidden && ADMINISTRATION_PERMISSIONS.includes(permission)),
      ),
      ...(row.boundProjectIds.length > 0 && {
        project_binding: {
          project_ids: row.boundProjectIds,
          permissions: BOUND_TOKEN_PERMISSIONS.filter((permission) =>
            row.boundPermissions.includes(permission),
          ),
        },
      }),
      expires_at: row.expiresAt?.toISOString() ?? null,
      ...(row.allowedAddresses.length > 0 && { allowed_addresses: row.allowedAddresses }),
      ...(row.workload && { workload: row.workload }),
    }
  }

  /** Raw SQL, since it runs for every request that gateways have not cached. */
  private async find(id: string): Promise<Row | undefined> {
    const rows = await this.database.$queryRaw<Row[]>`
      SELECT organization_id AS "organizationId", description, permissions,
             bound_project_ids AS "boundProjectIds", bound_permissions AS "boundPermissions",
             allowed_addresses AS "allowedAddresses", workload, secret_hash AS "secretHash",
             pepper_id AS "pepperId", expires_at AS "expiresAt", deleted_at AS "deletedAt",
             EXISTS (SELECT 1 FROM organization_rules r WHERE r.organization_id = organization_tokens.organization_id
                     AND r.administration_forbidden) AS "administrationForbidden",
             ${ORGANIZATION_STATE} AS "organizationState", ${PROJECT_STATE} AS "projectState"
      FROM organization_tokens
      WHERE id = ${id}::uuid`
    return rows[0]
  }
}
