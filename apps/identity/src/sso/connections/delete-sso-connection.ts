import { deleteSsoConnection } from '@bearing/contracts/identity/sso-connection'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { AuditLog } from '../../ground/audit/audit-log.js'
import { Database } from '../../ground/database.js'
import { CredentialChanges } from '../../ground/events/credential-changes.js'
import { lockAdmins, refuseUnlessAdmin } from '../../organizations/members/lock-admins.js'
import { EndSessions } from '../../people/sessions/end-sessions.js'
import { callingUser } from '../../people/users/calling-user.js'
import { lockIdentities } from '../identities/lock-identities.js'
import { lockConnection } from './lock-connection.js'
import { refuseLastConnection } from './refuse-last-connection.js'

@Controller()
export class DeleteSsoConnection {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
    private readonly changes: CredentialChanges,
    private readonly sessions: EndSessions,
  ) {}

  @Handle(deleteSsoConnection)
  async execute(
    input: Input<typeof deleteSsoConnection>,
    by: Principal,
  ): Promise<Output<typeof deleteSsoConnection>> {
    const { connection_id: id, organization_id: organizationId } = input
    const { userId } = callingUser(by)
    const changes = await this.database.transaction(async (transaction) => {
      refuseUnlessAdmin(await lockAdmins(transaction, organizationId), userId, 'sso-connection:manage')
      await lockConnection(transaction, id, organizationId)
      await refuseLastConnection(transaction, organizationId, id)
      const changes = await this.sessions.through(transaction, by, id, organizationId)
      await lockIdentities(transaction, { connectionId: id })
      await transaction.ssoConnection.delete({ where: { id } })
      await this.audit.record(transaction, by, {
        action: 'sso_connection.deleted',
        target: ['sso_connection', id],
        organizationId,
      })
      return changes
    })
    await this.changes.publish(...changes)
    return {}
  }
}
