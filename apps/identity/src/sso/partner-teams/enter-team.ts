import { OperationError } from '@bearing/contracts/errors'
import { Name } from '@bearing/contracts/primitives'
import { Clock } from '@bearing/service/clock'
import { Randomness } from '@bearing/service/randomness'
import { Injectable } from '@nestjs/common'
import { z } from 'zod'
import type { Transaction } from '../../ground/database.js'
import type { ArrivedClaims } from '../openid/openid-provider.js'
import type { HeldConnection } from '../sign-on/hold-connection.js'

/** The team that somebody came with. */
export interface EnteredTeam {
  readonly id: string
  /** Null: it has none yet. */
  readonly organizationId: string | null
}

/** Some partners count their teams. */
const TeamId = z.union([z.string(), z.int().transform(String)]).pipe(z.string().regex(/^\P{Cc}{1,255}$/u))

/** Knows a team of a partner by what is said of a person. */
@Injectable()
export class EnterTeam {
  constructor(
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  /**
   * @returns undefined where the connection is no partner's
   * @throws OperationError `sso_access_denied` where a partner does not say which team it is
   */
  async enter(
    transaction: Transaction,
    connection: HeldConnection,
    claims: ArrivedClaims,
  ): Promise<EnteredTeam | undefined> {
    const { id: connectionId, teamIdClaim, teamNameClaim } = connection
    if (teamIdClaim === null) return undefined
    const { success, data: teamId } = TeamId.safeParse(claims.all[teamIdClaim])
    if (!success) throw noTeam()
    const name = Name.catch(teamId.slice(0, 128)).parse(claims.all[teamNameClaim ?? ''])
    // Who has asked for a link with the name before asks anew, as it were: an admin confirms what they have seen.
    // Of two who bring a team at the same moment one makes the row, and the other finds it.
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
    'The console does not say which team you belong to. Join one there, and come again.',
    { reason: 'no_team' },
  )
}
