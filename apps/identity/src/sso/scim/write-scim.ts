import { OperationError } from '@bearing/contracts/errors'
import { MAX_SCIM_RESOURCES, writeScim } from '@bearing/contracts/identity/sso/scim'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { refuseBeyond } from '@bearing/contracts/counts/quota'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/ground/clock'
import { Randomness } from '@bearing/service/ground/randomness'
import { Controller } from '@nestjs/common'
import { Database, isUniqueViolation, type Transaction } from '../../ground/database.js'
import { noConnection } from '../connections/connection-row.js'
import { FollowEmail } from '../sign-on/follow-email.js'
import { applyRecord, type Provisioned } from './apply-record.js'
import { DryRun, accessIn, dryRun } from './dry-run.js'
import { leaveGroup, setMembers } from './group-members.js'
import { lockProvisioned, membersOf } from './lock-provisioned.js'
import { refuseOtherConnection } from './refuse-other-connection.js'
import { scimInvalid } from './scim-error.js'
import { patched } from './scim-patch.js'
import { etagOf, givenResource, toScim, type GivenResource, type StoredResource } from './scim-resource.js'
import { findRow, relatedTo, typeOf } from './scim-rows.js'
import { recordAudit } from '../../ground/audit/record-audit.js'

type Request = Input<typeof writeScim>

const QUOTA = {
  ...{ resource: 'scim_resources', limit: MAX_SCIM_RESOURCES, raised_by: 'nobody' as const },
  has: 'The connection has too many users and groups',
  remedy: 'Let the provider push only those that use Bearing',
}

@Controller()
export class WriteScim {
  constructor(
    private readonly database: Database,
    private readonly emails: FollowEmail,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  /** The writes of a connection run one after the other, and sign-ins through it wait for them. */
  @Handle(writeScim)
  async execute(input: Request, by: Principal): Promise<Output<typeof writeScim>> {
    try {
      return await this.database.transaction((transaction) => this.write(transaction, input, by))
    } catch (error) {
      if (error instanceof DryRun) return { resource: error.report }
      if (isUniqueViolation(error))
        throw new OperationError('scim_resource_taken', 'There is a resource with this name already.')
      throw error
    }
  }

  private async write(
    transaction: Transaction,
    input: Request,
    by: Principal,
  ): Promise<Output<typeof writeScim>> {
    const { organization_id: organizationId, connection_id: connectionId, method, base_url = '' } = input
    const type = typeOf(input.resource)
    await refuseOtherConnection(transaction, by, connectionId)
    const provisioned = await lockProvisioned(transaction, by, { organizationId, connectionId, input })
    if (!provisioned) throw noConnection()
    const access = input.dry_run === true ? await accessIn(transaction, organizationId) : undefined
    const before =
      method === 'POST' ? undefined : await findRow(transaction, connectionId, type, input.resource_id)
    if (before && input.if_match !== undefined && input.if_match !== '*' && input.if_match !== etagOf(before))
      throw new OperationError('precondition_failed', 'The resource was changed meanwhile. Read it again.')
    const members = before ? (await relatedTo(transaction, connectionId, before)).map(({ id }) => id) : []
    const given = method === 'DELETE' ? undefined : this.given(input, before, members)
    const row = given ? await this.store(transaction, input, given, before) : undefined
    if (before && !given) {
      await transaction.scimResource.delete({ where: { id: before.id } })
      await leaveGroup(transaction, before.id, type === 'Group' ? members : [])
    }
    if (type === 'Group' && given && row)
      await setMembers(transaction, row.id, before ? members : [], given.members)
    if (before && row) await this.emails.followRecord(transaction, provisioned, before.email, row.email)
    const emails = [before?.email, row?.email].filter((email) => typeof email === 'string')
    const ids = type === 'Group' ? [...members, ...(given?.members ?? [])] : []
    if (row?.active === false) await revokeInvitation(transaction, provisioned, row.email, this.clock.now())
    for (const member of await membersOf(transaction, { organizationId, connectionId, emails, ids }))
      await applyRecord(transaction, provisioned, member)
    const resource = row && toScim(row, base_url, await relatedTo(transaction, connectionId, row))
    if (access) throw dryRun(resource ?? null, access, await accessIn(transaction, organizationId))
    return row && resource ? { resource, etag: etagOf(row) } : { resource: null }
  }

  private given(
    input: Request,
    before: StoredResource | undefined,
    members: readonly string[],
  ): GivenResource {
    const type = typeOf(input.resource)
    const { body, method } = input
    if (!body) throw scimInvalid('invalidSyntax', 'Send the resource as a JSON object.')
    if (method !== 'PATCH' || !before) return givenResource(type, body)
    const attributes = {
      ...(before.attributes as object), // as givenResource made it
      ...(type === 'User' ? { active: before.active } : { members: members.map((value) => ({ value })) }),
    }
    return givenResource(type, patched(attributes, body))
  }

  private async store(
    transaction: Transaction,
    { organization_id: organizationId, connection_id: connectionId }: Request,
    { type, name, externalId, email, active, attributes }: GivenResource,
    before: StoredResource | undefined,
  ): Promise<StoredResource> {
    const now = this.clock.now()
    const data = { name, externalId, email, active, attributes: attributes as object, updatedAt: now } // JSON
    if (before)
      return transaction.scimResource.update({
        where: { id: before.id },
        data: { ...data, version: { increment: 1 } },
      })
    refuseBeyond(QUOTA, await transaction.scimResource.count({ where: { connectionId } }))
    const key = { id: this.randomness.newId(), organizationId, connectionId, type }
    return transaction.scimResource.create({ data: { ...key, ...data, groupIds: [], createdAt: now } })
  }
}

/** Revokes the open invitation of a deactivated user, who does not come back by it. */
async function revokeInvitation(
  transaction: Transaction,
  { by, organizationId }: Pick<Provisioned, 'by' | 'organizationId'>,
  email: string | null,
  now: Date,
): Promise<void> {
  if (email === null) return
  const revoked = await transaction.invitation.updateManyAndReturn({
    where: { organizationId, email, acceptedAt: null, revokedAt: null },
    data: { revokedAt: now },
    select: { id: true },
  })
  for (const { id } of revoked)
    recordAudit(transaction, by, { action: 'invitation.revoked', target: ['invitation', id], organizationId })
}
