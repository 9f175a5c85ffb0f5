import { isProjectKey } from '@bearing/access/project-key-format'
import { LOCATING_PROJECT_KEY_PERMISSIONS, PROJECT_KEY_PERMISSIONS } from '@bearing/access/roles'
import { Clock } from '@bearing/service/clock'
import { Injectable } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import type { Verdict } from './verdict.js'

interface Row {
  readonly id: string
  readonly organizationId: string
  readonly projectId: string
  readonly mayLocate: boolean
  /** Null for the current key of a project. */
  readonly expiresAt: Date | null
}

/** Authenticates project keys. */
@Injectable()
export class CheckProjectKey {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Project keys are public, so an ordinary lookup is enough. */
  async check(key: string): Promise<Verdict> {
    if (!isProjectKey(key)) return 'malformed'
    // Without the cast Postgres would compare text and not use the index.
    const [row] = await this.database.$queryRaw<Row[]>`
      SELECT id, organization_id AS "organizationId", project_id AS "projectId", may_locate AS "mayLocate",
             NULL::timestamptz AS "expiresAt"
      FROM project_keys
      WHERE key = ${key}::char(32)
      UNION ALL
      SELECT replaced.id, project.organization_id, project.project_id, project.may_locate, replaced.expires_at
      FROM replaced_project_keys replaced
      JOIN project_keys project USING (project_id)
      WHERE replaced.key = ${key}::char(32)`
    if (!row) return 'unknown'
    if (row.expiresAt && row.expiresAt <= this.clock.now()) return 'expired'
    return {
      kind: 'project_key',
      credential_id: row.id,
      organization_id: row.organizationId,
      project_id: row.projectId,
      permissions: [...PROJECT_KEY_PERMISSIONS, ...(row.mayLocate ? LOCATING_PROJECT_KEY_PERMISSIONS : [])],
      ...(row.expiresAt && { expires_at: row.expiresAt.toISOString() }),
    }
  }
}
