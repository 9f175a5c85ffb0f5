import { formatToken } from '@bearing/access/token-format'
import { ACCESS_TOKEN, exchangeToken } from '@bearing/contracts/identity/workloads/token-exchange'
import type { Input, Output } from '@bearing/contracts/operation'
import { ORGANIZATION_TOKEN } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { auditRow, storable } from '@bearing/service/audit/audit-row'
import { Clock } from '@bearing/service/ground/clock'
import { Randomness } from '@bearing/service/ground/randomness'
import { Controller } from '@nestjs/common'
import type { JWTPayload } from 'jose'
import { tokenDetails } from '../credentials/organization-tokens/organization-token-row.js'
import { tokenAudit } from '../credentials/organization-tokens/token-audit.js'
import { Peppers } from '../ground/rules/peppers.js'
import { ExchangeLimit } from './exchange-limit.js'
import { exchangeRefused } from './exchange-refused.js'
import { refuseOtherRequests, scopeOf } from './exchange-request.js'
import { hasClaims } from './rules/claim-values.js'
import { IssueTokens } from './issue-tokens.js'
import { assertionOf, workloadOf } from './subject-claims.js'
import { claimsOf } from './trust-row.js'
import { TrustsOfIssuers, type KnownTrust } from './trusts-of-issuers.js'
import { VerifyWorkloadToken } from './verify-workload-token.js'

type Request = Input<typeof exchangeToken>

/** The same answer for a missing organization, a missing trust and other claims: it does not reveal what an organization trusts. */
const NO_TRUST =
  'No trust of the organization accepts this token. Compare its issuer, audience and claims with those of the trust.'

@Controller()
export class ExchangeToken {
  constructor(
    private readonly trusts: TrustsOfIssuers,
    private readonly tokens: VerifyWorkloadToken,
    private readonly peppers: Peppers,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
    private readonly exchanges: ExchangeLimit,
    private readonly issues: IssueTokens,
  ) {}

  @Handle(exchangeToken)
  async execute(input: Request): Promise<Output<typeof exchangeToken>> {
    refuseOtherRequests(input)
    const trust = await this.trustOf(input, this.tokens.read(input.subject_token))
    const claims = await this.tokens.verify(input.subject_token, trust)
    if (!hasClaims(claims, claimsOf(trust))) throw exchangeRefused('invalid_request', NO_TRUST)
    await this.exchanges.count(trust.organizationId)
    return this.exchange(trust, claims, scopeOf(input.scope, trust))
  }

  /** Finds the trust by claims that are not verified yet: no caller makes Bearing ask an issuer that no trust names. */
  private async trustOf(input: Request, claims: JWTPayload): Promise<KnownTrust> {
    const { organization_id: organizationId, client_id: id } = input
    if (organizationId === null || claims.iss === undefined) throw exchangeRefused('invalid_target', NO_TRUST)
    const trusts = await this.trusts.of(organizationId, claims.iss)
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
    trust: KnownTrust,
    claims: JWTPayload,
    granted: string[],
  ): Promise<Output<typeof exchangeToken>> {
    const now = this.clock.now()
    const { organizationId } = trust
    const token = {
      kind: ORGANIZATION_TOKEN,
      id: this.randomness.newId(),
      secret: this.randomness.bytes(32),
    } as const
    const workload = workloadOf(trust, claims)
    const isBound = trust.projectIds.length > 0
    const row = {
      id: token.id,
      organizationId,
      description: storable(`${trust.name}: ${workload.subject}`),
      permissions: isBound ? [] : granted,
      boundProjectIds: trust.projectIds,
      boundPermissions: isBound ? granted : [],
      allowedAddresses: trust.allowedAddresses,
      createdAt: now,
      createdBy: trust.createdBy,
      expiresAt: new Date(now.getTime() + trust.lifetimeS * 1_000),
      ancestors: [trust.id],
      workload,
    }
    const audit = auditRow(
      {
        ...{ kind: ORGANIZATION_TOKEN, credential_id: token.id, organization_id: organizationId },
        ...{ description: row.description, permissions: [], expires_at: null, workload },
      },
      { ...tokenAudit('exchanged', token.id), organizationId, details: tokenDetails(row) },
      this.clock,
      this.randomness,
    )
    const issued = await this.issues.issue({
      ...{ trust, audit, assertion: assertionOf(trust, claims) },
      token: { ...row, ...this.peppers.hash(token) },
    })
    if (issued === 'changed') throw exchangeRefused('invalid_target', NO_TRUST)
    if (issued === 'replayed')
      throw exchangeRefused('invalid_request', 'The subject token was exchanged before.')
    return {
      access_token: formatToken(token),
      issued_token_type: ACCESS_TOKEN,
      token_type: 'Bearer',
      expires_in: trust.lifetimeS,
      scope: granted.join(' '),
    }
  }
}
