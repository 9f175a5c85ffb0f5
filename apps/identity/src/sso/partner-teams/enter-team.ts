import { OperationError } from '@bearing/contracts/errors'
import { Name } from '@bearing/contracts/primitives'
import { Clock } from '@bearing/service/ground/clock'
import { Randomness } from '@bearing/service/ground/randomness'
import { Injectable } from '@nestjs/common'
import { z } from 'zod'
import type { Transaction } from '../../ground/database.js'
import type { HeldConnection } from '../../ground/locks.js'
import type { ProviderClaims } from '../openid/openid-provider.js'

/** The team of a sign-in. */
export interface EnteredTeam {
  readonly id: string
  /** Null until the team has an organization. */
  readonly organizationId: string | null
}

/** Some partners have numbers as team ids. */
const TeamId = z.union([z.string(), z.int().transform(String)]).pipe(z.string().regex(/^\P{Cc}{1,255}$/u))

/** Finds or creates the partner team in the claims of a sign-in. */
@Injectable()
export class EnterTeam {
  constructor(
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  /**
   * @returns undefined if the connection is not of a partner
   * @throws OperationError `sso_access_denied` without a team in the claims of a partner
   */
  async enter(
    transaction: Transaction,
    connection: HeldConnection,
    claims: ProviderClaims,
  ): Promise<EnteredTeam | undefined> {
    const { id: connectionId, teamIdClaim, teamNameClaim } = connection
    if (teamIdClaim === null) return undefined
    const { success, data: teamId } = TeamId.safeParse(claims.all[teamIdClaim])
    if (!success) throw noTeam()
    const name = Name.catch(teamId.slice(0, 128)).parse(claims.all[teamNameClaim ?? ''])
    // A new name gets a new request id, so that an admin confirms the name they have seen.
    const [team] = await transaction.$queryRaw<EnteredTeam[]>`
      INSERT INTO partner_teams AS t (id, connection_id, team_id, name, created_at)
      VALUES (${this.randomness.newId()}::uuid, ${connectionId}::uuid, ${teamId}, ${name}, ${this.clock.now()})
      ON CONFLICT (connection_id, team_id) DO UPDATE
      SET name = excluded.name,
          request_id = CASE WHEN t.requested_by IS NOT NULL AND t.name <> excluded.name
                       THEN ${this.randomness.newId()}::uuid ELSE t.request_id END
      RETURNING id, organization_id AS "organizationId"`
    if (!team) throw new Error('unreachable: the row was written or was there')
    return team
  }
}

function noTeam(): OperationError {
  return new OperationError(
    'sso_access_denied',
    'The partner does not name your team. Join a team in its console, and sign in again.',
    { reason: 'no_team' },
  )
}
