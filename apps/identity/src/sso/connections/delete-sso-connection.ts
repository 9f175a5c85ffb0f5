import { deleteSsoConnection } from '@bearing/contracts/identity/sso/sso-connection'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { recordAudit } from '../../ground/audit/record-audit.js'
import { Database, type Transaction } from '../../ground/database.js'
import { lockConnection, lockIdentities } from '../../ground/locks.js'
import { requireAdmin } from '../../organizations/members/require-admin.js'
import { endSessionsOfConnection } from '../../people/sessions/end-sessions.js'
import { callingUser } from '../../people/users/calling-user.js'
import { releaseRoles } from '../role-mapping/refuse-mapping.js'
import { noConnection } from './connection-row.js'
import { refuseLastConnection } from './refuse-last-connection.js'

@Controller()
export class DeleteSsoConnection {
  constructor(private readonly database: Database) {}

  @Handle(deleteSsoConnection)
  async execute(
    { connection_id: id, organization_id: organizationId }: Input<typeof deleteSsoConnection>,
    by: Principal,
  ): Promise<Output<typeof deleteSsoConnection>> {
    const { userId } = callingUser(by)
    await this.database.transaction(async (transaction) => {
      await requireAdmin(transaction, organizationId, userId, 'sso-connection:manage')
      await releaseRoles(transaction, id)
      await deleteConnection(transaction, by, id, organizationId)
    })
    return {}
  }
}

/**
 * Deletes a connection with its sessions and identities.
 *
 * @param organizationId null for a connection of a partner
 */
export async function deleteConnection(
  transaction: Transaction,
  by: Principal,
  id: string,
  organizationId: string | null,
): Promise<void> {
  if (!(await lockConnection(transaction, id, organizationId))) throw noConnection()
  if (organizationId !== null) await refuseLastConnection(transaction, organizationId, id)
  await endSessionsOfConnection(transaction, by, id, organizationId)
  await lockIdentities(transaction, { connectionId: id })
  await transaction.ssoConnection.delete({ where: { id } })
  const target = ['sso_connection', id] as const
  recordAudit(transaction, by, { action: 'sso_connection.deleted', target, organizationId })
}
