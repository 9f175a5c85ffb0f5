import { isProjectKey } from '@bearing/access/project-key-format'
import { PROJECT_KEY_PERMISSIONS } from '@bearing/access/roles'
import type { Permission } from '@bearing/contracts/permission'
import { Clock } from '@bearing/service/ground/clock'
import { Injectable } from '@nestjs/common'
import { Prisma } from '../../generated/prisma/client.js'
import { Database } from '../../ground/database.js'
import { deletedState, type DeletedState } from '../../ground/tenant-states.js'
import { ImportOnFirstUse } from './import-on-first-use.js'
import { refuseDeleted } from './refuse-deleted.js'
import type { Verdict } from './verdict.js'

interface Row {
  readonly id: string
  readonly organizationId: string
  readonly projectId: string
  readonly mayLocate: boolean
  readonly mayContribute: boolean
  readonly mayClaim: boolean
  readonly isIdentityRequired: boolean
  /** Null for the current key of a project. */
  readonly expiresAt: Date | null
  readonly organizationState: DeletedState
  readonly projectState: DeletedState
}

const ORGANIZATION = Prisma.sql`project_keys.organization_id`
const STATES = Prisma.sql`
  ${deletedState(ORGANIZATION)} AS "organizationState",
  ${deletedState(ORGANIZATION, Prisma.sql`project_keys.project_id`)} AS "projectState"`

/** Authenticates project keys. */
@Injectable()
export class CheckProjectKey {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly firstUse: ImportOnFirstUse,
  ) {}

  /** Project keys are public, so an ordinary lookup is enough. */
  async check(key: string): Promise<Verdict> {
    if (!isProjectKey(key)) return 'malformed'
    const row =
      (await this.find(key)) ?? ((await this.firstUse.execute(key)) ? await this.find(key) : undefined)
    if (!row) return 'unknown'
    if (row.expiresAt && row.expiresAt <= this.clock.now()) return 'expired'
    const refused = refuseDeleted(row.organizationState, row.projectState)
    if (refused) return refused
    return {
      kind: 'project_key',
      credential_id: row.id,
      organization_id: row.organizationId,
      project_id: row.projectId,
      permissions: permissionsOf(row),
      ...(row.isIdentityRequired && { device_identity_required: true }),
      ...(row.expiresAt && { expires_at: row.expiresAt.toISOString() }),
    }
  }

  private async find(key: string): Promise<Row | undefined> {
    // Without the cast Postgres would compare text and not use the index.
    const [row] = await this.database.$queryRaw<Row[]>`
      SELECT project_keys.id, organization_id AS "organizationId", project_id AS "projectId", may_locate AS "mayLocate",
             may_contribute AS "mayContribute", device_claims <> 'off' AS "mayClaim", device_identity = 'required' AS "isIdentityRequired",
             NULL::timestamptz AS "expiresAt", ${STATES}
      FROM project_keys
      WHERE key = ${key}::char(32)
      UNION ALL
      SELECT replaced.id, project_keys.organization_id, project_keys.project_id, project_keys.may_locate,
             project_keys.may_contribute, project_keys.device_claims <> 'off', project_keys.device_identity = 'required', replaced.expires_at, ${STATES}
      FROM replaced_project_keys replaced
      JOIN project_keys USING (project_id)
      WHERE replaced.key = ${key}::char(32)`
    return row
  }
}

/** A gateway that does not know `device_identity_required` goes by the permissions: a device that has to prove itself only claims. */
function permissionsOf({ isIdentityRequired, ...row }: Row): Permission[] {
  const has = { 'location:resolve': row.mayLocate, 'observation:contribute': row.mayContribute }
  const claims: Permission[] = row.mayClaim ? ['device:claim'] : []
  if (isIdentityRequired) return claims
  const optional = ['location:resolve', 'observation:contribute'] as const
  return [...PROJECT_KEY_PERMISSIONS, ...optional.filter((permission) => has[permission]), ...claims]
}
