import { parseToken } from '@bearing/access/token-format'
import { Clock } from '@bearing/service/ground/clock'
import { Injectable } from '@nestjs/common'
import { CheckSecret } from '../../ground/check-secret.js'
import type { Transaction } from '../../ground/database.js'
import { Peppers } from '../../ground/rules/peppers.js'

/** Counts the uses of onboarding tokens. */
@Injectable()
export class UseOnboardingToken {
  constructor(
    private readonly secret: CheckSecret,
    private readonly peppers: Peppers,
    private readonly clock: Clock,
  ) {}

  /**
   * Uses a token once; concurrent uses wait for each other.
   *
   * @returns its id; undefined if it is not valid in the project, has expired, or is used up
   */
  async execute(
    transaction: Transaction,
    text: string | undefined,
    project: { readonly organizationId: string; readonly projectId: string },
  ): Promise<string | undefined> {
    const token = parseToken(text ?? '')
    if (token?.kind !== 'onboarding_token') return undefined
    const row = await transaction.onboardingToken.findFirst({ where: { id: token.id, ...project } })
    if (!this.secret.matches(token, row ?? undefined)) return undefined
    // Renews the hash too, after a rotation of the pepper.
    const { secretHash, pepperId } = this.peppers.hash(token)
    const used = await transaction.$executeRaw`
      UPDATE onboarding_tokens SET uses = uses + 1, secret_hash = ${secretHash}, pepper_id = ${pepperId}
      WHERE id = ${token.id}::uuid AND uses < max_uses AND expires_at > ${this.clock.now()}::timestamptz`
    return used === 1 ? token.id : undefined
  }
}
