import { parseToken, type TokenParts } from '@bearing/access/token-format'
import { OperationError } from '@bearing/contracts/errors'
import { reportLeak } from '@bearing/contracts/identity/credentials/leak'
import type { Input, Output } from '@bearing/contracts/operation'
import { ORGANIZATION_TOKEN } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { RevokeLeakedOnboardingToken } from './revoke-leaked-onboarding-token.js'
import { RevokeLeakedSession } from './revoke-leaked-session.js'
import { RevokeLeakedToken } from './revoke-leaked-token.js'
import { RevokeLeakedUserKey } from './revoke-leaked-user-key.js'

/** Invented secrets fail their checksum, so they cause no lookup. */
@Controller()
export class ReportLeak {
  constructor(
    private readonly tokens: RevokeLeakedToken,
    private readonly userKeys: RevokeLeakedUserKey,
    private readonly sessions: RevokeLeakedSession,
    private readonly onboardingTokens: RevokeLeakedOnboardingToken,
  ) {}

  @Handle(reportLeak)
  async execute(input: Input<typeof reportLeak>): Promise<Output<typeof reportLeak>> {
    const leaked = parseToken(input.secret)
    if (!leaked) return { outcome: 'unknown' }
    refuseSecretIn(input.found_at, leaked)
    return { outcome: await this.revoke(leaked, input.found_at) }
  }

  private revoke(leaked: TokenParts, foundAt: string | undefined) {
    switch (leaked.kind) {
      case ORGANIZATION_TOKEN:
        return this.tokens.revoke(leaked, foundAt)
      case 'user_key':
        return this.userKeys.revoke(leaked, foundAt)
      case 'session':
        return this.sessions.revoke(leaked)
      case 'onboarding_token':
        return this.onboardingTokens.revoke(leaked, foundAt)
    }
  }
}

/** The place is stored and read by people, so it must not contain a secret, for example in the query of a URL. */
function refuseSecretIn(foundAt: string | undefined, { kind }: TokenParts): void {
  if (foundAt === undefined || !/brg[a-z]_/i.test(foundAt)) return
  const detail = 'must not contain a secret'
  throw new OperationError(
    'invalid_input',
    `/found_at ${detail}: remove it, and report the ${kind.replace('_', ' ')} again.`,
    {
      errors: [{ pointer: '/found_at', detail }],
    },
  )
}
