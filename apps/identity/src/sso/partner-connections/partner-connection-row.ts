import type { PartnerConnection } from '@bearing/contracts/identity/sso/partner'
import { ProjectRole } from '@bearing/contracts/principal'
import type { z } from 'zod'
import { SHOWN as SHOWN_OF_ALL, toConnection } from '../connections/connection-row.js'

/** The columns to read. */
export const SHOWN = { ...SHOWN_OF_ALL, teamIdClaim: true, teamNameClaim: true, joinRole: true } as const

type Row = Parameters<typeof toConnection>[0] & {
  readonly teamIdClaim: string | null
  readonly teamNameClaim: string | null
  readonly joinRole: string | null
}

/** Returns a connection of a partner as the contract has it. */
export function toPartnerConnection(row: Row): z.output<typeof PartnerConnection> {
  const { id, name, issuer, client_id, enabled, callback_path, sign_in_path, created_at } = toConnection(row)
  return {
    id,
    name,
    issuer,
    client_id,
    // The database has both for connections without an organization.
    team_id_claim: row.teamIdClaim ?? '',
    team_name_claim: row.teamNameClaim ?? '',
    join_role: ProjectRole.nullable().parse(row.joinRole),
    enabled,
    callback_path,
    sign_in_path,
    created_at,
  }
}
