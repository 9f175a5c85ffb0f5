import { isProjectKey } from '@bearing/access/project-key-format'
import { PROJECT_KEY_PERMISSIONS } from '@bearing/access/roles'
import { Injectable } from '@nestjs/common'
import { Database } from '../database.js'
import type { Verdict } from './verdict.js'

interface Row {
  readonly id: string
  readonly organizationId: string
  readonly projectId: string
}

/** Tells which project a project key is of. */
@Injectable()
export class CheckProjectKey {
  constructor(private readonly database: Database) {}

  /** Project keys are not secret, so an ordinary look-up does. */
  async check(key: string): Promise<Verdict> {
    if (!isProjectKey(key)) return 'malformed'
    // Without the cast Postgres would compare as text and not use the index.
    const [row] = await this.database.$queryRaw<Row[]>`
      SELECT id, organization_id AS "organizationId", project_id AS "projectId"
      FROM project_keys
      WHERE key = ${key}::char(32)`
    if (!row) return 'unknown'
    return {
      kind: 'project_key',
      credential_id: row.id,
      organization_id: row.organizationId,
      project_id: row.projectId,
      permissions: [...PROJECT_KEY_PERMISSIONS],
    }
  }
}
