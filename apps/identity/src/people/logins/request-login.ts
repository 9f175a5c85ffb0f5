import {
  LOGIN_INTERVAL_S,
  LOGIN_LIFETIME_S,
  formatUserCode,
  requestLogin,
} from '@bearing/contracts/identity/people/login'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { currentCall } from '@bearing/nats/call-context'
import { storable } from '@bearing/service/audit/audit-row'
import { Clock } from '@bearing/service/ground/clock'
import { Randomness } from '@bearing/service/ground/randomness'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { newLinkSecret } from '../../ground/rules/link-secret.js'
import { newUserCode } from '../../ground/rules/user-code.js'
import { DeviceLoginRule } from './device-login-rule.js'

@Controller()
export class RequestLogin {
  constructor(
    private readonly database: Database,
    private readonly rule: DeviceLoginRule,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  /** Not audited, because anyone could fill the log. The decision is, with everything about the request. */
  @Handle(requestLogin)
  async execute({ host }: Input<typeof requestLogin>): Promise<Output<typeof requestLogin>> {
    this.rule.checkAny()
    const randomBytes = (length: number) => this.randomness.bytes(length)
    const { secret, secretHash } = newLinkSecret(randomBytes)
    const userCode = newUserCode(randomBytes)
    const now = this.clock.now()
    const { clientAddress } = currentCall() ?? {}
    await this.database.loginRequest.create({
      data: {
        ...{ id: this.randomness.newId(), codeHash: secretHash, userCode, host, createdAt: now },
        address: clientAddress === undefined ? null : storable(clientAddress),
        expiresAt: new Date(now.getTime() + LOGIN_LIFETIME_S * 1_000),
        intervalS: LOGIN_INTERVAL_S,
      },
    })
    return {
      device_code: secret,
      user_code: formatUserCode(userCode),
      expires_in: LOGIN_LIFETIME_S,
      interval: LOGIN_INTERVAL_S,
    }
  }
}
