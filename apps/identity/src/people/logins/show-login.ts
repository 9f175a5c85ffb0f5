import { isSameNetwork } from '@bearing/access/client-network'
import { formatUserCode, showLogin } from '@bearing/contracts/identity/people/login'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { currentCall } from '@bearing/nats/call-context'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { DecideLogin } from './decide-login.js'

@Controller()
export class ShowLogin {
  constructor(private readonly logins: DecideLogin) {}

  @Handle(showLogin)
  async execute({ user_code }: Input<typeof showLogin>, by: Principal): Promise<Output<typeof showLogin>> {
    const { userCode, host, address, createdAt, expiresAt, session } = await this.logins.find(by, user_code)
    const ownAddress = currentCall()?.clientAddress ?? null
    return {
      ...{ user_code: formatUserCode(userCode), host, address, own_address: ownAddress },
      same_network: isSameNetwork(address, ownAddress),
      requested_at: createdAt.toISOString(),
      expires_at: expiresAt.toISOString(),
      session_ends_at: session.endsAt.toISOString(),
    }
  }
}
