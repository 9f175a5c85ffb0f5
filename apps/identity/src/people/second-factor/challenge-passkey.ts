import { challengePasskey } from '@bearing/contracts/identity/people/passkey'
import type { Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Passkeys } from './passkeys.js'

@Controller()
export class ChallengePasskey {
  constructor(private readonly passkeys: Passkeys) {}

  @Handle(challengePasskey)
  execute(): Promise<Output<typeof challengePasskey>> {
    return Promise.resolve(this.passkeys.challenge())
  }
}
