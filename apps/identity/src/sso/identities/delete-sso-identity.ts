import { OperationError } from '@bearing/contracts/errors'
import { deleteSsoIdentity } from '@bearing/contracts/identity/sso/sign-on'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { recordAudit } from '../../ground/audit/record-audit.js'
import { Database } from '../../ground/database.js'
import { endSessionsOfUser } from '../../people/sessions/end-sessions.js'
import { callingUser, lockCaller } from '../../people/users/calling-user.js'

@Controller()
export class DeleteSsoIdentity {
  constructor(private readonly database: Database) {}

  /** Keeps the row without its user, so that the person is not taken for a new one later. */
  @Handle(deleteSsoIdentity)
  async execute(
    { sso_identity_id: id }: Input<typeof deleteSsoIdentity>,
    by: Principal,
  ): Promise<Output<typeof deleteSsoIdentity>> {
    const { userId } = callingUser(by)
    await this.database.transaction(async (transaction) => {
      await lockCaller(transaction, userId)
      const [row] = await transaction.$queryRaw<{ connectionId: string; organizationId: string | null }[]>`
        UPDATE sso_identities i SET user_id = NULL FROM sso_connections c
        WHERE i.id = ${id}::uuid AND i.user_id = ${userId}::uuid AND c.id = i.connection_id
        RETURNING c.id AS "connectionId", c.organization_id AS "organizationId"`
      if (!row) throw new OperationError('sso_identity_not_found', 'Your account has no such link.')
      await endSessionsOfUser(transaction, by, userId, row)
      recordAudit(transaction, by, {
        action: 'sso_identity.unlinked',
        target: ['sso_identity', id],
        organizationId: row.organizationId,
      })
    })
    return {}
  }
}
