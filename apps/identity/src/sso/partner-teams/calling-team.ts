import { OperationError } from '@bearing/contracts/errors'
import type { PartnerTeam } from '@bearing/contracts/identity/sso/partner'
import type { Principal } from '@bearing/contracts/principal'
import type { z } from 'zod'
import type { Transaction } from '../../ground/database.js'
import { lockTeam, type LockedTeam } from '../../ground/locks.js'
import { callingSession } from '../../people/sessions/calling-session.js'

/** Locks the team of the calling session. @throws OperationError `partner_team_not_found` */
export async function lockCallingTeam(transaction: Transaction, by: Principal): Promise<LockedTeam> {
  const team = await lockTeam(transaction, callingSession(by))
  if (team) return team
  throw new OperationError(
    'partner_team_not_found',
    'This is for users who signed in from the console of a partner, with a team.',
  )
}

/** Returns a team as the contract has it. */
export function toTeam(
  team: Pick<LockedTeam, 'name' | 'organizationId' | 'requestedOrganizationId'>,
): z.output<typeof PartnerTeam> {
  return {
    name: team.name,
    organization_id: team.organizationId,
    requested_organization_id: team.requestedOrganizationId,
  }
}
