import { issueServiceClaims } from '@bearing/contracts/identity/user'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { SignClaims } from './sign-claims.js'

@Controller()
export class IssueServiceClaims {
  constructor(private readonly signer: SignClaims) {}

  @Handle(issueServiceClaims)
  execute({ name }: Input<typeof issueServiceClaims>): Promise<Output<typeof issueServiceClaims>> {
    return this.signer.sign({ kind: 'service', name })
  }
}
