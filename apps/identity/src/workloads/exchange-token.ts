import { formatToken } from '@bearing/access/token-format'
import { ACCESS_TOKEN, exchangeToken } from '@bearing/contracts/identity/workloads/token-exchange'
import type { Input, Output } from '@bearing/contracts/operation'
import { ORGANIZATION_TOKEN } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { storable } from '@bearing/service/audit/audit-row'
import { Clock } from '@bearing/service/ground/clock'
import { Randomness } from '@bearing/service/ground/randomness'
import { Controller } from '@nestjs/common'
import type { JWTPayload } from 'jose'
import { SHOWN, tokenDetails } from '../credentials/organization-tokens/organization-token-row.js'
import { tokenAudit } from '../credentials/organization-tokens/token-audit.js'
import type { WorkloadTrust } from '../generated/prisma/client.js'
import { recordAudit } from '../ground/audit/record-audit.js'
import { Database, type Transaction } from '../ground/database.js'
import { holdTrust } from '../ground/locks.js'
import { Peppers } from '../ground/rules/peppers.js'
import { isDeleted } from '../ground/tenant-states.js'
import { ExchangeLimit } from './exchange-limit.js'
import { exchangeRefused } from './exchange-refused.js'
import { refuseOtherRequests, scopeOf } from './exchange-request.js'
import { hasClaims } from './rules/claim-values.js'
import { refuseReplay, workloadOf } from './subject-claims.js'
import { claimsOf } from './trust-row.js'
import { VerifyWorkloadToken } from './verify-workload-token.js'

type Request = Input<typeof exchangeToken>

/** The same answer for a missing organization, a missing trust and other claims: it does not reveal what an organization trusts. */
const NO_TRUST =
  'No trust of the organization accepts this token. Compare its issuer, audience and claims with those of the trust.'

@Controller()
export class ExchangeToken {
  constructor(
    private readonly database: Database,
    private readonly tokens: VerifyWorkloadToken,
    private readonly peppers: Peppers,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
    private readonly exchanges: ExchangeLimit,
  ) {}

  @Handle(exchangeToken)
  async execute(input: Request): Promise<Output<typeof exchangeToken>> {
    refuseOtherRequests(input)
    const trust = await this.trustOf(input, this.tokens.read(input.subject_token))
    const claims = await this.tokens.verify(input.subject_token, trust)
    if (!hasClaims(claims, claimsOf(trust))) throw exchangeRefused('invalid_request', NO_TRUST)
    await this.exchanges.count(trust.organizationId)
    return this.database.transaction((transaction) => this.exchange(transaction, trust, claims, input.scope))
  }

  /** Finds the trust by claims that are not verified yet: no caller makes Bearing ask an issuer that no trust names. */
  private async trustOf(input: Request, claims: JWTPayload): Promise<WorkloadTrust> {
    const { organization_id: organizationId, client_id: id } = input
    if (
      organizationId === null ||
      claims.iss === undefined ||
      (await isDeleted(this.database, organizationId))
    )
      throw exchangeRefused('invalid_target', NO_TRUST)
    const trusts = await this.database.workloadTrust.findMany({
      where: { organizationId, issuer: claims.iss },
    })
    const audiences = [claims.aud ?? []].flat()
    const fitting = trusts.filter(
      (trust) =>
        (id === undefined || trust.id === id) &&
        audiences.includes(trust.audience) &&
        hasClaims(claims, claimsOf(trust)),
    )
    const [trust, another] = fitting
    if (!trust) throw exchangeRefused('invalid_target', NO_TRUST)
    if (another)
      throw exchangeRefused(
        'invalid_request',
        'Several trusts of the organization accept this token. Name one with client_id.',
      )
    return trust
  }

  private async exchange(
    transaction: Transaction,
    trust: WorkloadTrust,
    claims: JWTPayload,
    scope: string | undefined,
  ): Promise<Output<typeof exchangeToken>> {
    // It may have been changed while the token was verified.
    const isSame =
      (await holdTrust(transaction, trust.id)) &&
      isUnchanged(trust, await transaction.workloadTrust.findUnique({ where: { id: trust.id } }))
    if (!isSame) throw exchangeRefused('invalid_target', NO_TRUST)
    const granted = scopeOf(scope, trust)
    if (trust.singleUse) await refuseReplay(transaction, trust, claims)
    const now = this.clock.now()
    const token = {
      kind: ORGANIZATION_TOKEN,
      id: this.randomness.newId(),
      secret: this.randomness.bytes(32),
    } as const
    const workload = workloadOf(trust, claims)
    const isBound = trust.projectIds.length > 0
    const row = await transaction.organizationToken.create({
      data: {
        id: token.id,
        organizationId: trust.organizationId,
        description: storable(`${trust.name}: ${workload.subject}`),
        permissions: isBound ? [] : granted,
        boundProjectIds: trust.projectIds,
        boundPermissions: isBound ? granted : [],
        allowedAddresses: trust.allowedAddresses,
        ...this.peppers.hash(token),
        createdAt: now,
        createdBy: trust.createdBy,
        expiresAt: new Date(now.getTime() + trust.lifetimeS * 1_000),
        ancestors: [trust.id],
        workload,
      },
      select: SHOWN,
    })
    recordAudit(
      transaction,
      {
        ...{ kind: ORGANIZATION_TOKEN, credential_id: token.id, organization_id: trust.organizationId },
        ...{ description: row.description, permissions: [], expires_at: null, workload },
      },
      {
        ...tokenAudit('exchanged', token.id),
        organizationId: trust.organizationId,
        details: tokenDetails(row),
      },
    )
    return {
      access_token: formatToken(token),
      issued_token_type: ACCESS_TOKEN,
      token_type: 'Bearer',
      expires_in: trust.lifetimeS,
      scope: granted.join(' '),
    }
  }
}

function isUnchanged(before: WorkloadTrust, now: WorkloadTrust | null): boolean {
  return JSON.stringify(before) === JSON.stringify(now)
}
