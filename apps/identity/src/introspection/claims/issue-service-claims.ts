import { issueServiceClaims } from '@bearing/contracts/identity/people/user'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { recordAudit } from '../../ground/audit/record-audit.js'
import { Database } from '../../ground/database.js'
import { SignClaims } from './sign-claims.js'

@Controller()
export class IssueServiceClaims {
  constructor(
    private readonly signer: SignClaims,
    private readonly database: Database,
  ) {}

  /** Audited before the claims are returned. Only NATS permissions decide who may call this. */
  @Handle(issueServiceClaims)
  async execute({
    name,
    audience,
  }: Input<typeof issueServiceClaims>): Promise<Output<typeof issueServiceClaims>> {
    const by = { kind: 'service', name } as const
    const signed = await this.signer.sign(by, { audience })
    await this.database.transaction((transaction) => {
      recordAudit(transaction, by, {
        action: 'service_claims.issued',
        target: ['service', name],
        details: { audience, expires_at: new Date(signed.claims_expire_at * 1_000).toISOString() },
      })
    })
    return signed
  }
}
