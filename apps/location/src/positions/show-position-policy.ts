import { showPositionPolicy } from '@bearing/contracts/location/positions/position-policy'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../ground/database.js'
import { policyKey, viewPositionPolicy } from './position-policy-view.js'

@Controller()
export class ShowPositionPolicy {
  constructor(private readonly database: Database) {}

  @Handle(showPositionPolicy)
  async execute(input: Input<typeof showPositionPolicy>): Promise<Output<typeof showPositionPolicy>> {
    return viewPositionPolicy(await this.database.positionPolicy.findUnique({ where: policyKey(input) }))
  }
}
