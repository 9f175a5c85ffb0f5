import { showTotp } from '@bearing/contracts/identity/people/second-factor'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { callingUser } from '../users/calling-user.js'

@Controller()
export class ShowTotp {
  constructor(private readonly database: Database) {}

  @Handle(showTotp)
  async execute(_: Input<typeof showTotp>, by: Principal): Promise<Output<typeof showTotp>> {
    const row = await this.database.user.findUnique({
      where: { id: callingUser(by).userId },
      select: { totp: { select: { confirmedAt: true } }, _count: { select: { recoveryCodes: true } } },
    })
    return {
      confirmed_at: row?.totp?.confirmedAt?.toISOString() ?? null,
      recovery_codes_left: row?._count.recoveryCodes ?? 0,
    }
  }
}
