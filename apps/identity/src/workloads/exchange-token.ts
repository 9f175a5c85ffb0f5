import { createHash } from 'node:crypto'
import { formatToken } from '@bearing/access/token-format'
import { OperationError } from '@bearing/contracts/errors'
import {
  ACCESS_TOKEN,
  exchangeToken,
  SUBJECT_TOKEN_TYPES,
  TOKEN_EXCHANGE,
} from '@bearing/contracts/identity/workloads/token-exchange'
import { platformOf, type WorkloadPlatform } from '@bearing/contracts/identity/workloads/workload-platforms'
import type { Input, Output } from '@bearing/contracts/operation'
import { ORGANIZATION_TOKEN, type Workload } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { storable } from '@bearing/service/audit/audit-row'
import { Clock } from '@bearing/service/ground/clock'
import { Randomness } from '@bearing/service/ground/randomness'
import { RateLimits, type Limit } from '@bearing/service/store/rate-limits'
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
import { exchangeRefused } from './exchange-refused.js'
import { claimAt, hasClaims } from './rules/claim-values.js'
import { claimsOf } from './trust-row.js'
import { VerifyWorkloadToken } from './verify-workload-token.js'

type Request = Input<typeof exchangeToken>

/** Exchanges of an organization per minute. They are counted after their token was verified, so that nobody else uses them up. */
const EXCHANGES_PER_MINUTE = 30_000
/** The same answer for a missing organization, a missing trust and other claims: it reveals to nobody what an organization trusts. */
const NO_TRUST =
  'No trust of the organization accepts this token. Compare its issuer, audience and claims with those of the trust.'

@Controller()
export class ExchangeToken {
  private readonly exchanges: Limit

  constructor(
    private readonly database: Database,
    private readonly tokens: VerifyWorkloadToken,
    private readonly peppers: Peppers,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
    limits: RateLimits,
  ) {
    this.exchanges = limits.limit({
      name: 'token-exchanges',
      points: EXCHANGES_PER_MINUTE,
      windowS: 60,
      whenStoreIsDown: 'open',
    })
  }

  @Handle(exchangeToken)
  async execute(input: Request): Promise<Output<typeof exchangeToken>> {
    refuseOtherRequests(input)
    const trust = await this.trustOf(input, this.tokens.read(input.subject_token))
    const claims = await this.tokens.verify(input.subject_token, trust)
    if (!hasClaims(claims, claimsOf(trust))) throw exchangeRefused('invalid_request', NO_TRUST)
    await this.count(trust)
    return this.database.transaction((transaction) => this.exchange(transaction, trust, claims, input.scope))
  }

  /** Finds the trust by claims that are not verified yet: nobody makes Bearing ask an issuer that no trust names. */
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

  private async count({ organizationId }: WorkloadTrust): Promise<void> {
    const { used, endsInMs } = await this.exchanges.count(organizationId)
    if (used <= EXCHANGES_PER_MINUTE) return
    this.exchanges.refused()
    throw new OperationError('rate_limited', 'The organization exchanges too many tokens.', {
      retry_after: Math.max(1, Math.ceil(endsInMs / 1_000)),
    })
  }

  private async exchange(
    transaction: Transaction,
    trust: WorkloadTrust,
    claims: JWTPayload,
    scope: string | undefined,
  ): Promise<Output<typeof exchangeToken>> {
    // It may have been changed while the token was verified.
    const isSame =
      (await holdTrust(transaction, trust.id)) && isUnchanged(trust, await this.again(transaction, trust))
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

  private again(transaction: Transaction, { id }: WorkloadTrust): Promise<WorkloadTrust | null> {
    return transaction.workloadTrust.findUnique({ where: { id } })
  }
}

function isUnchanged(before: WorkloadTrust, now: WorkloadTrust | null): boolean {
  return JSON.stringify(before) === JSON.stringify(now)
}

function refuseOtherRequests(input: Request): void {
  if (input.grant_type !== TOKEN_EXCHANGE)
    throw exchangeRefused('unsupported_grant_type', `grant_type must be ${TOKEN_EXCHANGE}.`)
  if (!SUBJECT_TOKEN_TYPES.some((type) => type === input.subject_token_type))
    throw exchangeRefused(
      'invalid_request',
      `subject_token_type must be ${SUBJECT_TOKEN_TYPES.join(' or ')}.`,
    )
  if (input.requested_token_type !== undefined && input.requested_token_type !== ACCESS_TOKEN)
    throw exchangeRefused('invalid_request', `requested_token_type must be ${ACCESS_TOKEN}, or left out.`)
  if (input.audience === undefined)
    throw exchangeRefused('invalid_target', 'audience is needed: the slug or id of the organization.')
}

/** Returns the permissions of the new token: all of the trust, or those that are asked for. */
function scopeOf(scope: string | undefined, { permissions }: WorkloadTrust): string[] {
  const wanted = [...new Set((scope ?? '').split(' ').filter((name) => name !== ''))]
  if (wanted.length === 0) return permissions
  if (wanted.every((name) => permissions.includes(name))) return wanted
  throw exchangeRefused('invalid_scope', 'scope has a permission that the trust does not give.')
}

/** Accepts a token once. Two exchanges at the same time: one of them inserts the row. */
async function refuseReplay(
  transaction: Transaction,
  { id: trustId }: WorkloadTrust,
  { jti, exp = 0 }: JWTPayload,
): Promise<void> {
  if (jti === undefined)
    throw exchangeRefused('invalid_request', 'The trust accepts tokens once, and this one has no jti.')
  const jtiHash = new Uint8Array(createHash('sha256').update(jti).digest())
  const { count } = await transaction.workloadAssertion.createMany({
    data: [{ trustId, jtiHash, expiresAt: new Date((exp + 60) * 1_000) }],
    skipDuplicates: true,
  })
  if (count === 0) throw exchangeRefused('invalid_request', 'The subject token was exchanged before.')
}

/** Returns who it was: the required claims, and those that say what runs. */
function workloadOf(trust: WorkloadTrust, payload: JWTPayload): Workload {
  const { recorded } = platformOf(trust.platform as WorkloadPlatform) // the contract has checked it
  const names = [...new Set([...Object.keys(claimsOf(trust)), ...recorded])]
  const claims = names.flatMap((name) => {
    const text = claimAt(payload, name)
    return text === undefined ? [] : [[name, storable(text)] as const]
  })
  return {
    trust_id: trust.id,
    issuer: trust.issuer,
    subject: storable(payload.sub ?? ''),
    claims: Object.fromEntries(claims),
  }
}
