import { findDataPolicy } from '@bearing/contracts/management/data-policy'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/clock'
import { Controller } from '@nestjs/common'
import { Database } from '../database.js'
import { toDataPolicy } from './data-policy-row.js'

@Controller()
export class FindDataPolicy {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  @Handle(findDataPolicy)
  async execute({
    project_id: projectId,
  }: Input<typeof findDataPolicy>): Promise<Output<typeof findDataPolicy>> {
    const day = new Date(this.clock.now().toISOString().slice(0, 10))
    const [policy, usage] = await Promise.all([
      this.database.dataPolicy.findUnique({ where: { projectId } }),
      this.database.projectUsage.findUnique({ where: { projectId_day: { projectId, day } } }),
    ])
    return { ...toDataPolicy(policy), bytes_today: Number(usage?.bytes ?? 0) }
  }
}
