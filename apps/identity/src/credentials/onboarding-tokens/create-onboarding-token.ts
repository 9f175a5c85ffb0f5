import { formatToken } from '@bearing/access/token-format'
import { DAY_MS } from '@bearing/contracts/durations'
import { invalidInput } from '@bearing/contracts/errors'
import {
  createOnboardingToken,
  MAX_ONBOARDING_DAYS,
  MAX_ONBOARDING_TOKENS,
} from '@bearing/contracts/identity/devices/onboarding-token'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { refuseBeyond } from '@bearing/contracts/counts/quota'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/ground/clock'
import { Randomness } from '@bearing/service/ground/randomness'
import { IdempotentCalls } from '@bearing/service/store/idempotent-calls'
import { Controller } from '@nestjs/common'
import { recordAudit } from '../../ground/audit/record-audit.js'
import { Database, type Transaction } from '../../ground/database.js'
import { Peppers } from '../../ground/rules/peppers.js'
import { refuseForeignProject } from '../../organizations/project-members/project-scope.js'
import { requireManager } from '../../organizations/project-members/require-manager.js'
import { toOnboardingToken } from './onboarding-token-row.js'

const QUOTA = {
  ...{ resource: 'onboarding_tokens', limit: MAX_ONBOARDING_TOKENS, raised_by: 'nobody' as const },
  has: 'The project has too many onboarding tokens',
  remedy: 'Delete one first',
}

@Controller()
export class CreateOnboardingToken {
  constructor(
    private readonly database: Database,
    private readonly peppers: Peppers,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
    private readonly calls: IdempotentCalls,
  ) {}

  @Handle(createOnboardingToken)
  async execute(
    input: Input<typeof createOnboardingToken>,
    by: Principal,
  ): Promise<Output<typeof createOnboardingToken>> {
    const now = this.clock.now()
    const expiresAt = new Date(input.expires_at)
    if (expiresAt <= now || expiresAt.getTime() > now.getTime() + MAX_ONBOARDING_DAYS * DAY_MS)
      throw invalidInput('/expires_at', `must be at most ${String(MAX_ONBOARDING_DAYS)} days ahead`)
    return this.database.transaction((transaction) =>
      this.calls.once(transaction, createOnboardingToken, input, by, () =>
        this.create(transaction, input, by, now, expiresAt),
      ),
    )
  }

  private async create(
    transaction: Transaction,
    input: Input<typeof createOnboardingToken>,
    by: Principal,
    createdAt: Date,
    expiresAt: Date,
  ): Promise<Output<typeof createOnboardingToken>> {
    const { organization_id: organizationId, project_id: projectId, name, max_uses: maxUses } = input
    const token = {
      kind: 'onboarding_token',
      id: this.randomness.newId(),
      secret: this.randomness.bytes(32),
    } as const
    await requireManager(transaction, by, input, 'device-key:manage')
    await refuseForeignProject(transaction, input)
    const where = { organizationId, projectId }
    refuseBeyond(QUOTA, await transaction.onboardingToken.count({ where }))
    const data = { ...where, name, maxUses, ...this.peppers.hash(token), createdAt, expiresAt }
    const row = await transaction.onboardingToken.create({ data: { id: token.id, ...data } })
    recordAudit(transaction, by, {
      ...{ action: 'onboarding_token.created', target: ['onboarding_token', row.id], organizationId },
      details: { project_id: projectId, name, max_uses: maxUses, expires_at: expiresAt.toISOString() },
    })
    return { ...toOnboardingToken(row), token: formatToken(token) }
  }
}
