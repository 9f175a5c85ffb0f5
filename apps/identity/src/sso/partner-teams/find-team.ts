import { OperationError } from '@bearing/contracts/errors'
import type { PartnerTeam } from '@bearing/contracts/identity/partner'
import type { Principal } from '@bearing/contracts/principal'
import { Injectable } from '@nestjs/common'
import type { z } from 'zod'
import type { Transaction } from '../../ground/database.js'
import { callingSession } from '../../people/sessions/calling-session.js'

/** The team that a session came with. */
export interface Team {
  readonly id: string
  readonly name: string
  readonly organizationId: string | null
  readonly projectId: string | null
  readonly requestedOrganizationId: string | null
  readonly requestedBy: string | null
}

/** Finds the team that the calling session came with. */
@Injectable()
export class FindTeam {
  /**
   * Who asks for the same team next waits until the transaction ends, and then sees what was chosen.
   *
   * @throws OperationError `partner_team_not_found`
   */
  async lock(transaction: Transaction, by: Principal): Promise<Team> {
    const sessionId = callingSession(by)
    const [team] = await transaction.$queryRaw<Team[]>`
      SELECT t.id, t.name, t.organization_id AS "organizationId", t.project_id AS "projectId",
             t.requested_organization_id AS "requestedOrganizationId", t.requested_by AS "requestedBy"
      FROM sessions s JOIN partner_teams t ON t.id = s.partner_team_id
      WHERE s.id = ${sessionId ?? null}::uuid
      FOR UPDATE OF t`
    if (team) return team
    throw new OperationError(
      'partner_team_not_found',
      'This is for who has come from the console of a partner, with a team.',
    )
  }
}

/** A team as the contract shows it. */
export function toTeam(team: Team): z.output<typeof PartnerTeam> {
  return {
    name: team.name,
    organization_id: team.organizationId,
    requested_organization_id: team.requestedOrganizationId,
  }
}
