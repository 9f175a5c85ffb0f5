import { deletePartnerConnection } from '@bearing/contracts/identity/partner'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { AuditLog } from '../../ground/audit/audit-log.js'
import { Database } from '../../ground/database.js'
import { CredentialChanges } from '../../ground/events/credential-changes.js'
import { EndSessions } from '../../people/sessions/end-sessions.js'
import { noConnection } from '../connections/connection-row.js'
import { lockIdentities } from '../identities/lock-identities.js'

@Controller()
export class DeletePartnerConnection {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
    private readonly changes: CredentialChanges,
    private readonly sessions: EndSessions,
  ) {}

  @Handle(deletePartnerConnection)
  async execute(
    { connection_id: id }: Input<typeof deletePartnerConnection>,
    by: Principal,
  ): Promise<Output<typeof deletePartnerConnection>> {
    const changes = await this.database.transaction(async (transaction) => {
      const rows = await transaction.$queryRaw<unknown[]>`
        SELECT 1 FROM sso_connections WHERE id = ${id}::uuid AND organization_id IS NULL
        FOR UPDATE`
      if (rows.length === 0) throw noConnection()
      const changes = await this.sessions.through(transaction, by, id, null)
      await lockIdentities(transaction, { connectionId: id })
      await transaction.ssoConnection.delete({ where: { id } })
      await this.audit.record(transaction, by, {
        action: 'sso_connection.deleted',
        target: ['sso_connection', id],
      })
      return changes
    })
    await this.changes.publish(...changes)
    return {}
  }
}
