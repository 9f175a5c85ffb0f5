import { createHash } from 'node:crypto'
import { LEGACY_TOKEN_PERMISSIONS } from '@bearing/access/roles'
import { ORGANIZATION_TOKEN } from '@bearing/contracts/principal'
import { Clock } from '@bearing/service/ground/clock'
import { Injectable } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { Prisma } from '../../generated/prisma/client.js'
import { deletedState, type DeletedState } from '../../ground/tenant-states.js'
import { refuseDeleted } from './refuse-deleted.js'
import type { Verdict } from './verdict.js'

interface Row {
  readonly id: string
  readonly organizationId: string
  readonly projectId: string | null
  readonly description: string
  readonly importedAt: Date
  readonly sunsetAt: Date
  readonly organizationState: DeletedState
  readonly projectState: DeletedState
}

/** Authenticates legacy location tokens. */
@Injectable()
export class CheckLegacyToken {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** The lookup by hash needs no constant time: an attacker cannot choose text whose hash is close to a stored one. */
  async check(token: string): Promise<Verdict> {
    const row = await this.find(token)
    if (!row) return 'unknown'
    if (row.sunsetAt <= this.clock.now()) return 'expired'
    const refused = refuseDeleted(row.organizationState, row.projectState)
    if (refused) return refused
    return {
      kind: ORGANIZATION_TOKEN,
      credential_id: row.id,
      organization_id: row.organizationId,
      description: row.description,
      // As for other bound tokens, a reader that does not know the binding grants nothing.
      permissions: row.projectId === null ? [...LEGACY_TOKEN_PERMISSIONS] : [],
      ...(row.projectId !== null && {
        project_binding: { project_ids: [row.projectId], permissions: [...LEGACY_TOKEN_PERMISSIONS] },
      }),
      expires_at: row.sunsetAt.toISOString(),
      legacy: { deprecated_at: row.importedAt.toISOString() },
    }
  }

  private async find(token: string): Promise<Row | undefined> {
    const organization = Prisma.sql`legacy_tokens.organization_id`
    const project = Prisma.sql`legacy_tokens.project_id`
    const rows = await this.database.$queryRaw<Row[]>`
      SELECT id, organization_id AS "organizationId", project_id AS "projectId", description, imported_at AS "importedAt",
             sunset_at AS "sunsetAt", ${deletedState(organization)} AS "organizationState",
             ${deletedState(organization, project)} AS "projectState"
      FROM legacy_tokens WHERE hash = ${legacyTokenHash(token)}`
    return rows[0]
  }
}

/** Returns the hash of a legacy location token: SHA-256 (FIPS 180-4) over its UTF-8, 32 bytes. */
function legacyTokenHash(token: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(token, 'utf8').digest())
}
