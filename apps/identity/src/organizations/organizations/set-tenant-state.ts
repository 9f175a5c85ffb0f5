import type { Input, Output } from '@bearing/contracts/operation'
import { setTenantState } from '@bearing/contracts/identity/members/tenant'
import { WHOLE_ORGANIZATION } from '@bearing/contracts/tenant-scope'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { recordCredentialChange } from '../../ground/events/credential-changes.js'

/** Stops or restores the credentials of an organization or project, as management says. */
@Controller()
export class SetTenantState {
  constructor(private readonly database: Database) {}

  /** Drops cached credentials even if nothing changes: management repeats the call if its reply was lost. */
  @Handle(setTenantState)
  async execute(input: Input<typeof setTenantState>): Promise<Output<typeof setTenantState>> {
    const { organization_id: organizationId, project_id, state, version, deleted_at } = input
    await this.database.transaction(async (transaction) => {
      await transaction.$executeRaw`
        INSERT INTO tenant_states AS known (organization_id, project_id, state, version, deleted_at)
        VALUES (${organizationId}::uuid, ${project_id ?? WHOLE_ORGANIZATION}::uuid, ${state}, ${version}::bigint,
                ${deleted_at}::timestamptz)
        ON CONFLICT (organization_id, project_id) DO UPDATE
        SET state = excluded.state, version = excluded.version, deleted_at = excluded.deleted_at
        WHERE known.version < excluded.version AND known.state <> 'erasing'`
      recordCredentialChange(
        transaction,
        project_id === null ? `organization:${organizationId}` : `project:${project_id}`,
      )
    })
    return {}
  }
}
