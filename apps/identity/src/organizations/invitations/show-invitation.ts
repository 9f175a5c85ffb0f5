import { showInvitation } from '@bearing/contracts/identity/members/invitation'
import type { Input, Output } from '@bearing/contracts/operation'
import type { OrganizationRole } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { FindInvitation } from './find-invitation.js'
import { inviterName } from './invitation-row.js'

@Controller()
export class ShowInvitation {
  constructor(
    private readonly database: Database,
    private readonly invitations: FindInvitation,
  ) {}

  @Handle(showInvitation)
  async execute({ secret }: Input<typeof showInvitation>): Promise<Output<typeof showInvitation>> {
    const row = await this.invitations.bySecret(this.database, secret)
    const [invitedBy, account] = await Promise.all([
      inviterName(this.database, row),
      this.database.user.findUnique({ where: { email: row.email }, select: { id: true } }),
    ])
    return {
      email: row.email,
      organization_id: row.organizationId,
      role: row.role as OrganizationRole, // checked by the database
      invited_by: invitedBy,
      expires_at: row.expiresAt.toISOString(),
      has_account: account !== null,
    }
  }
}
