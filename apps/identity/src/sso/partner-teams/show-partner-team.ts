import { showPartnerTeam } from '@bearing/contracts/identity/sso/partner'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { lockCallingTeam, toTeam } from './calling-team.js'

@Controller()
export class ShowPartnerTeam {
  constructor(private readonly database: Database) {}

  @Handle(showPartnerTeam)
  async execute(_: Input<typeof showPartnerTeam>, by: Principal): Promise<Output<typeof showPartnerTeam>> {
    return toTeam(await this.database.transaction((transaction) => lockCallingTeam(transaction, by)))
  }
}
