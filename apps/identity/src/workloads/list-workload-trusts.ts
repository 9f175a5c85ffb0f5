import { listWorkloadTrusts } from '@bearing/contracts/identity/workloads/workload-trust'
import type { Input, Output } from '@bearing/contracts/operation'
import { page } from '@bearing/contracts/primitives'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../ground/database.js'
import { toTrust } from './trust-row.js'

@Controller()
export class ListWorkloadTrusts {
  constructor(private readonly database: Database) {}

  @Handle(listWorkloadTrusts)
  async execute(input: Input<typeof listWorkloadTrusts>): Promise<Output<typeof listWorkloadTrusts>> {
    const where = { organizationId: input.organization_id }
    const [count, rows] = await Promise.all([
      this.database.workloadTrust.count({ where }),
      this.database.workloadTrust.findMany({
        where,
        orderBy: { id: 'desc' },
        skip: (input.page - 1) * input.per_page,
        take: input.per_page,
      }),
    ])
    const last = await Promise.all(rows.map(({ id }) => this.lastExchange(id)))
    return page(
      rows.map((row, index) => toTrust(row, last[index] ?? null)),
      count,
      input,
    )
  }

  /** The rows of exchanged tokens remain for a week. */
  private async lastExchange(id: string): Promise<Date | null> {
    const { _max: max } = await this.database.organizationToken.aggregate({
      where: { ancestors: { has: id } },
      _max: { createdAt: true },
    })
    return max.createdAt
  }
}
