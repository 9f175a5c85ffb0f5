import { eraseTenantIdentity } from '@bearing/contracts/identity/members/tenant'
import type { Input, Output } from '@bearing/contracts/operation'
import { WHOLE_ORGANIZATION } from '@bearing/contracts/tenant-scope'
import { Handle } from '@bearing/nats/handle'
import { eraseRows, type Erasable } from '@bearing/service/store/erase-rows'
import { Controller } from '@nestjs/common'
import { Database } from '../ground/database.js'
import { recordCredentialChange } from '../ground/events/credential-changes.js'

/** Time for which one call deletes, in milliseconds. */
const BUDGET_MS = 5_000

const OF_ORGANIZATION = 'organization_id = $1'

/**
 * Identity's rows of an organization, in the order of erasure: first those that could bring in members again, the memberships last,
 * because admins see the progress until then. Deleted by foreign keys with them: sessions, identities, sign-ons and teams of its
 * connections, uses of tokens, replaced keys, roles in projects. Not here: the audit log, which is kept.
 */
export const ORGANIZATION: readonly Erasable[] = [
  {
    table: 'mails',
    where: `kind = 'invitation' AND subject IN (SELECT id::text FROM invitations WHERE ${OF_ORGANIZATION})`,
  },
  { table: 'invitations', where: OF_ORGANIZATION },
  { table: 'partner_teams', where: OF_ORGANIZATION },
  { table: 'scim_resources', where: OF_ORGANIZATION },
  { table: 'sso_connections', where: OF_ORGANIZATION },
  { table: 'sso_domains', key: ['organization_id', 'domain'], where: OF_ORGANIZATION },
  { table: 'legacy_tokens', where: OF_ORGANIZATION },
  {
    table: 'request_usage',
    key: ['organization_id', 'day', 'kind', 'credential_id'],
    where: OF_ORGANIZATION,
  },
  { table: 'workload_trusts', where: OF_ORGANIZATION },
  { table: 'organization_tokens', where: OF_ORGANIZATION },
  { table: 'device_keys', where: OF_ORGANIZATION },
  { table: 'device_claims', where: OF_ORGANIZATION },
  {
    table: 'revoked_devices',
    key: ['organization_id', 'project_id', 'device_serial'],
    where: OF_ORGANIZATION,
  },
  { table: 'onboarding_tokens', where: OF_ORGANIZATION },
  { table: 'device_cas', where: OF_ORGANIZATION },
  { table: 'project_keys', where: OF_ORGANIZATION },
  { table: 'project_members', key: ['user_id', 'organization_id', 'project_id'], where: OF_ORGANIZATION },
  { table: 'former_members', key: ['organization_id', 'user_id'], where: OF_ORGANIZATION },
  { table: 'organization_rules', key: ['organization_id'], where: OF_ORGANIZATION },
  { table: 'memberships', key: ['user_id', 'organization_id'], where: OF_ORGANIZATION },
]

/** Identity's rows of a project. Tokens that were bound to it alone go: without a binding they would reach every project. */
export const PROJECT: readonly Erasable[] = [
  { table: 'device_keys', where: `${OF_ORGANIZATION} AND project_id = ANY ($2)` },
  { table: 'device_claims', where: `${OF_ORGANIZATION} AND project_id = ANY ($2)` },
  {
    table: 'revoked_devices',
    key: ['organization_id', 'project_id', 'device_serial'],
    where: `${OF_ORGANIZATION} AND project_id = ANY ($2)`,
  },
  { table: 'onboarding_tokens', where: `${OF_ORGANIZATION} AND project_id = ANY ($2)` },
  { table: 'device_cas', where: `${OF_ORGANIZATION} AND project_id = ANY ($2)` },
  { table: 'project_keys', where: `${OF_ORGANIZATION} AND project_id = ANY ($2)` },
  {
    table: 'project_members',
    key: ['user_id', 'organization_id', 'project_id'],
    where: `${OF_ORGANIZATION} AND project_id = ANY ($2)`,
  },
  { table: 'legacy_tokens', where: `${OF_ORGANIZATION} AND project_id = ANY ($2)` },
  {
    table: 'organization_tokens',
    where: `${OF_ORGANIZATION} AND cardinality(bound_project_ids) > 0 AND bound_project_ids <@ $2`,
  },
]

/** Erases one batch of what identity has of an organization or a project. */
@Controller()
export class EraseTenant {
  constructor(private readonly database: Database) {}

  @Handle(eraseTenantIdentity)
  async execute(input: Input<typeof eraseTenantIdentity>): Promise<Output<typeof eraseTenantIdentity>> {
    const { organization_id: organizationId, project_id: projectId } = input
    await this.writeTombstone(input)
    if (projectId === null) await this.withdrawRequests(organizationId)
    else await this.detachProject(organizationId, projectId)
    return eraseRows(
      (statement, values) => this.database.$queryRawUnsafe<unknown[]>(statement, ...values),
      projectId === null ? ORGANIZATION : PROJECT,
      [organizationId, projectId === null ? [] : [projectId]],
      BUDGET_MS,
    )
  }

  /** From now on credentials are unknown, and nobody becomes a member. */
  private async writeTombstone({ organization_id, project_id, version }: Input<typeof eraseTenantIdentity>) {
    await this.database.transaction(async (transaction) => {
      const count = await transaction.$executeRaw`
        INSERT INTO tenant_states AS known (organization_id, project_id, state, version)
        VALUES (${organization_id}::uuid, ${project_id ?? WHOLE_ORGANIZATION}::uuid, 'erasing', ${version}::bigint)
        ON CONFLICT (organization_id, project_id) DO UPDATE SET state = 'erasing', version = excluded.version
        WHERE known.state <> 'erasing'`
      if (count > 0)
        recordCredentialChange(
          transaction,
          project_id === null ? `organization:${organization_id}` : `project:${project_id}`,
        )
    })
  }

  private async withdrawRequests(organizationId: string): Promise<void> {
    await this.database.partnerTeam.updateMany({
      where: { requestedOrganizationId: organizationId },
      data: { requestedOrganizationId: null, requestedBy: null, requestedAt: null, requestId: null },
    })
  }

  /** Removes the project from rows that stay: invitations, bindings of tokens to several projects, and partner teams. */
  private async detachProject(organizationId: string, projectId: string): Promise<void> {
    await this.database.$executeRaw`
      UPDATE invitations SET projects = coalesce(
        (SELECT jsonb_agg(one) FROM jsonb_array_elements(projects) AS one WHERE one->>'project_id' <> ${projectId}), '[]')
      WHERE organization_id = ${organizationId}::uuid
        AND projects @> jsonb_build_array(jsonb_build_object('project_id', ${projectId}::text))`
    await this.database.$executeRaw`
      UPDATE organization_tokens SET bound_project_ids = array_remove(bound_project_ids, ${projectId}::uuid)
      WHERE organization_id = ${organizationId}::uuid AND ${projectId}::uuid = ANY (bound_project_ids)
        AND cardinality(bound_project_ids) > 1`
    await this.database.partnerTeam.updateMany({ where: { projectId }, data: { projectId: null } })
  }
}
