import type { OrganizationGrant } from '@bearing/contracts/principal'
import { Injectable } from '@nestjs/common'
import { Database } from '../database.js'
import { Prisma } from '../generated/prisma/client.js'

interface UserRow {
  readonly userId: string
  readonly email: string
  readonly grants: OrganizationGrant[]
}

/** What a user may act on, as the JSON that principals carry. Everything in it is found by primary key. */
const GRANTS = Prisma.sql`
  (SELECT coalesce(jsonb_agg(jsonb_build_object(
            'organization_id', m.organization_id,
            'role', m.role,
            'sso_required', coalesce(r.sso_required, false),
            'projects', (SELECT coalesce(jsonb_agg(jsonb_build_object('project_id', p.project_id, 'role', p.role)
                                                   ORDER BY p.project_id), '[]')
                         FROM project_members p
                         WHERE p.user_id = m.user_id AND p.organization_id = m.organization_id)
          ) ORDER BY m.organization_id), '[]')
   FROM memberships m
   LEFT JOIN organization_rules r ON r.organization_id = m.organization_id
   WHERE m.user_id = u.id)`

/** Reads a user with all they may act on, in one query each: introspection has no time for more. */
@Injectable()
export class UserRows {
  constructor(private readonly database: Database) {}

  /** @param keyId id of the user's API key */
  async findByKey(
    keyId: string,
  ): Promise<(UserRow & { readonly secretHash: Uint8Array; readonly pepperId: string }) | undefined> {
    const rows = await this.database.$queryRaw<
      (UserRow & { readonly secretHash: Uint8Array; readonly pepperId: string })[]
    >`
      SELECT u.id AS "userId", u.email, k.secret_hash AS "secretHash", k.pepper_id AS "pepperId", ${GRANTS} AS grants
      FROM user_keys k
      JOIN users u ON u.id = k.user_id
      WHERE k.id = ${keyId}::uuid`
    return rows[0]
  }

  /** @param email lower-cased */
  async findByEmail(
    email: string,
  ): Promise<(UserRow & { readonly passwordHash: string | null }) | undefined> {
    const rows = await this.database.$queryRaw<(UserRow & { readonly passwordHash: string | null })[]>`
      SELECT u.id AS "userId", u.email, u.password_hash AS "passwordHash", ${GRANTS} AS grants
      FROM users u
      WHERE u.email = ${email}`
    return rows[0]
  }
}
