import { normalizeRange } from '@bearing/access/address-ranges'
import { formatToken } from '@bearing/access/token-format'
import { DAY_MS } from '@bearing/contracts/durations'
import { OperationError, refuseMistakes } from '@bearing/contracts/errors'
import { administers, DEFAULT_LIFETIME_DAYS } from '@bearing/contracts/identity/tokens/token-presets'
import { createOrganizationToken } from '@bearing/contracts/identity/tokens/organization-token'
import type { Input, Output } from '@bearing/contracts/operation'
import { ORGANIZATION_TOKEN, type Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { recordAudit } from '../../ground/audit/record-audit.js'
import { Clock } from '@bearing/service/ground/clock'
import { Database, type Transaction } from '../../ground/database.js'
import { requireAdmin } from '../../organizations/members/require-admin.js'
import { latestTokenEnd } from '../organization-token-policy/latest-token-end.js'
import { IdempotentCalls } from '@bearing/service/store/idempotent-calls'
import { Randomness } from '@bearing/service/ground/randomness'
import { Peppers } from '../../ground/rules/peppers.js'
import { requestedPermissions, tokenRequestMistakes } from '../../ground/rules/token-request.js'
import { earliest } from '../../ground/rules/earliest.js'
import { callingUser } from '../../people/users/calling-user.js'
import { AdministrationMails } from './administration-mails.js'
import { SHOWN, toOrganizationToken, tokenDetails } from './organization-token-row.js'
import { TokenQuota } from './token-quota.js'
import { newReach } from './token-reach.js'
import { tokenAudit } from './token-audit.js'

@Controller()
export class CreateOrganizationToken {
  constructor(
    private readonly database: Database,
    private readonly peppers: Peppers,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
    private readonly quota: TokenQuota,
    private readonly calls: IdempotentCalls,
    private readonly mails: AdministrationMails,
  ) {}

  @Handle(createOrganizationToken)
  async execute(
    input: Input<typeof createOrganizationToken>,
    by: Principal,
  ): Promise<Output<typeof createOrganizationToken>> {
    refuseMistakes(tokenRequestMistakes(input, this.clock.now()))
    return this.database.transaction((transaction) =>
      this.calls.once(transaction, createOrganizationToken, input, by, () =>
        this.create(transaction, input, by),
      ),
    )
  }

  private async create(
    transaction: Transaction,
    input: Input<typeof createOrganizationToken>,
    by: Principal,
  ): Promise<Output<typeof createOrganizationToken>> {
    const { userId } = callingUser(by)
    const now = this.clock.now()
    const token = {
      kind: ORGANIZATION_TOKEN,
      id: this.randomness.newId(),
      secret: this.randomness.bytes(32),
    } as const
    await requireAdmin(transaction, input.organization_id, userId, 'organization-token:create')
    await this.quota.refuseAnother(transaction, input.organization_id, now)
    const permissions = requestedPermissions(input)
    const reach = await newReach(transaction, permissions, {
      organizationId: input.organization_id,
      projectIds: input.project_ids,
    })
    const created = await transaction.organizationToken.create({
      data: {
        id: token.id,
        organizationId: input.organization_id,
        description: input.description,
        ...reach,
        scimConnectionId: await scimConnection(transaction, input),
        allowedAddresses: rangesOf(input.allowed_addresses),
        ...this.peppers.hash(token),
        createdAt: now,
        createdBy: userId,
        expiresAt: earliest(
          chosenEnd(input.expires_at, now),
          await latestTokenEnd(transaction, input.organization_id, permissions, now),
        ),
      },
      select: SHOWN,
    })
    recordAudit(transaction, by, {
      ...tokenAudit('created', token.id),
      organizationId: input.organization_id,
      details: tokenDetails(created),
    })
    if (administers(permissions)) await this.mails.add(transaction, input.organization_id, token.id)
    return { ...toOrganizationToken(created, now), token: formatToken(token) }
  }
}

/** Returns the only connection that the token pushes to. @throws OperationError `sso_connection_not_found` */
async function scimConnection(
  transaction: Transaction,
  { organization_id: organizationId, scim_connection_id: id }: Input<typeof createOrganizationToken>,
): Promise<string | null> {
  if (id === undefined) return null
  if ((await transaction.ssoConnection.count({ where: { id, organizationId } })) > 0) return id
  throw new OperationError('sso_connection_not_found', 'There is no such single sign-on connection.')
}

/** Returns the end that a request asks for. Null: never. */
function chosenEnd(text: string | null | undefined, now: Date): Date | null {
  if (text === undefined) return new Date(now.getTime() + DEFAULT_LIFETIME_DAYS * DAY_MS)
  return text === null ? null : new Date(text)
}

/** Returns distinct, normalized ranges. */
function rangesOf(texts: readonly string[] = []): string[] {
  return [...new Set(texts.map(normalizeRange).filter((range) => range !== undefined))]
}
