import { OperationError } from '@bearing/contracts/errors'
import type { Transaction } from '../../ground/database.js'

/** A connection that stays as it is until the transaction ends. */
export interface HeldConnection {
  readonly id: string
  /** Null: it is a partner's. */
  readonly organizationId: string | null
  readonly teamIdClaim: string | null
  readonly teamNameClaim: string | null
  readonly issuer: string
  readonly justInTime: boolean
}

/**
 * Holds a connection while somebody signs in through it: who closes it waits, and then ends this session too.
 *
 * @throws OperationError `sso_failed` where it was closed
 */
export async function holdConnection(transaction: Transaction, id: string): Promise<HeldConnection> {
  const [row] = await transaction.$queryRaw<HeldConnection[]>`
    SELECT id, organization_id AS "organizationId", issuer, just_in_time AS "justInTime",
           team_id_claim AS "teamIdClaim", team_name_claim AS "teamNameClaim"
    FROM sso_connections WHERE id = ${id}::uuid AND enabled
    FOR SHARE`
  if (!row) throw new OperationError('sso_failed', 'The connection was closed meanwhile.')
  return row
}
