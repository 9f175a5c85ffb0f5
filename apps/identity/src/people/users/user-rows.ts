import type { OrganizationGrant, UserPrincipal } from '@bearing/contracts/principal'
import { WHOLE_ORGANIZATION } from '@bearing/contracts/tenant-scope'
import { Injectable } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { Prisma } from '../../generated/prisma/client.js'

/** A grant, and whether its organization is deleted. */
export type StoredGrant = OrganizationGrant & { readonly deleted?: true }

interface UserRow {
  readonly userId: string
  readonly email: string
  readonly secondFactor: boolean
  readonly grants: StoredGrant[]
}

interface KeyOfUser extends UserRow {
  readonly secretHash: Uint8Array
  readonly pepperId: string
  readonly expiresAt: Date | null
  /** True if the key was created with the user's present second factor. */
  readonly keySecondFactor: boolean
}

export interface SessionOfUser extends UserRow {
  readonly secretHash: Uint8Array
  readonly pepperId: string
  readonly lastSeenAt: Date
  readonly endsAt: Date
  readonly methods: string[]
  /** The machine whose command line it is for; null for a browser. */
  readonly host: string | null
  /** True if the command line asked from the network of the browser that allowed it. */
  readonly sameNetwork: boolean | null
  /** The connection of the sign-in and the organization that the session reaches; null without single sign-on. */
  readonly sso: { readonly connection_id: string; readonly organization_id: string | null } | null
}

/** The grants of a user, as JSON for principals. Everything is read by primary key. */
const GRANTS = Prisma.sql`
  (SELECT coalesce(jsonb_agg(CASE WHEN d.state IS NULL THEN '{}'::jsonb ELSE '{"deleted": true}' END
          || CASE WHEN r.device_logins <> 'on' THEN jsonb_build_object('device_logins', r.device_logins) ELSE '{}' END
          || CASE WHEN r.second_factor_kind <> 'any'
               THEN jsonb_build_object('second_factor_kind', r.second_factor_kind) ELSE '{}' END
          || jsonb_build_object(
            'organization_id', m.organization_id,
            'role', m.role,
            'sso_required', coalesce(r.sso_required, false),
            'second_factor_required', coalesce(r.second_factor_required, false),
            'projects', (SELECT coalesce(jsonb_agg(jsonb_build_object('project_id', p.project_id, 'role', p.role)
                                                   ORDER BY p.project_id), '[]')
                         FROM project_members p
                         WHERE p.user_id = m.user_id AND p.organization_id = m.organization_id)
          ) ORDER BY m.organization_id), '[]')
   FROM memberships m
   LEFT JOIN organization_rules r ON r.organization_id = m.organization_id
   LEFT JOIN tenant_states d ON d.organization_id = m.organization_id
     AND d.project_id = ${WHOLE_ORGANIZATION}::uuid AND d.state <> 'active'
   WHERE m.user_id = u.id)`

const SECOND_FACTOR = Prisma.sql`
  (EXISTS (SELECT 1 FROM totps t WHERE t.user_id = u.id AND t.confirmed_at IS NOT NULL)
   OR EXISTS (SELECT 1 FROM passkeys p WHERE p.user_id = u.id))`

/** Separates the grants of a principal: those on deleted organizations only allow to restore them. */
export function grantsOf(all: readonly StoredGrant[]): Pick<UserPrincipal, 'grants' | 'deleted_grants'> {
  const without = ({ deleted: _, ...grant }: StoredGrant): OrganizationGrant => grant
  const gone = all.filter(({ deleted }) => deleted)
  return {
    grants: all.filter(({ deleted }) => !deleted).map(without),
    ...(gone.length > 0 && { deleted_grants: gone.map(without) }),
  }
}

/** Reads users with their grants, in one query each, for introspection. */
@Injectable()
export class UserRows {
  constructor(private readonly database: Database) {}

  async findByKey(keyId: string): Promise<KeyOfUser | undefined> {
    const rows = await this.database.$queryRaw<KeyOfUser[]>`
      SELECT u.id AS "userId", u.email, k.secret_hash AS "secretHash", k.pepper_id AS "pepperId",
             k.expires_at AS "expiresAt",
             k.second_factor AND (
               EXISTS (SELECT 1 FROM totps t WHERE t.user_id = u.id AND t.confirmed_at <= k.created_at)
               OR EXISTS (SELECT 1 FROM passkeys p WHERE p.user_id = u.id AND p.created_at <= k.created_at)) AS "keySecondFactor",
             ${SECOND_FACTOR} AS "secondFactor", ${GRANTS} AS grants
      FROM user_keys k
      JOIN users u ON u.id = k.user_id
      WHERE k.id = ${keyId}::uuid`
    return rows[0]
  }

  async findBySession(sessionId: string): Promise<SessionOfUser | undefined> {
    const rows = await this.database.$queryRaw<SessionOfUser[]>`
      SELECT u.id AS "userId", u.email, s.secret_hash AS "secretHash", s.pepper_id AS "pepperId",
             s.last_seen_at AS "lastSeenAt", s.ends_at AS "endsAt", s.methods,
             s.host, s.same_network AS "sameNetwork",
             CASE WHEN c.id IS NOT NULL
               THEN jsonb_build_object('connection_id', c.id, 'organization_id', coalesce(c.organization_id, t.organization_id))
             END AS sso,
             ${SECOND_FACTOR} AS "secondFactor", ${GRANTS} AS grants
      FROM sessions s
      JOIN users u ON u.id = s.user_id
      LEFT JOIN sso_connections c ON c.id = s.connection_id
      LEFT JOIN partner_teams t ON t.id = s.partner_team_id
      WHERE s.id = ${sessionId}::uuid AND (s.connection_id IS NULL OR c.enabled)`
    return rows[0]
  }

  /**
   * Returns the present grants of a user, those on deleted organizations included; in a session of single sign-on, only those
   * of its organization.
   */
  async findGrants({ user_id, sso }: UserPrincipal): Promise<StoredGrant[]> {
    const [row] = await this.database.$queryRaw<Pick<UserRow, 'grants'>[]>`
      SELECT ${GRANTS} AS grants FROM users u WHERE u.id = ${user_id}::uuid`
    const grants = row?.grants ?? []
    return sso ? grants.filter((grant) => grant.organization_id === sso.organization_id) : grants
  }

  /** @param email lower-case */
  async findByEmail(
    email: string,
  ): Promise<(UserRow & { readonly passwordHash: string | null }) | undefined> {
    const rows = await this.database.$queryRaw<(UserRow & { readonly passwordHash: string | null })[]>`
      SELECT u.id AS "userId", u.email, u.password_hash AS "passwordHash",
             ${SECOND_FACTOR} AS "secondFactor", ${GRANTS} AS grants
      FROM users u
      WHERE u.email = ${email}`
    return rows[0]
  }
}
