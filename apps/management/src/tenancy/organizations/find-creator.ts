import { findCreator } from '@bearing/contracts/management/tenancy/organization'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'

@Controller()
export class FindCreator {
  constructor(private readonly database: Database) {}

  @Handle(findCreator)
  async execute({ organization_id: id }: Input<typeof findCreator>): Promise<Output<typeof findCreator>> {
    const found = await this.database.organization.findUnique({ where: { id }, select: { createdBy: true } })
    return { user_id: found?.createdBy ?? null }
  }
}
