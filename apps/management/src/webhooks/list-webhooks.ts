import { listWebhooks } from '@bearing/contracts/management/webhook'
import type { Input, Output } from '@bearing/contracts/operation'
import { page } from '@bearing/contracts/primitives'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/ground/clock'
import { Controller } from '@nestjs/common'
import { Database } from '../ground/database.js'
import { requireProject } from '../tenancy/projects/require-project.js'
import { SHOWN, toWebhook } from './webhook-row.js'

@Controller()
export class ListWebhooks {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  @Handle(listWebhooks)
  async execute(input: Input<typeof listWebhooks>): Promise<Output<typeof listWebhooks>> {
    await requireProject(this.database, input)
    const where = { projectId: input.project_id }
    const [count, rows] = await Promise.all([
      this.database.webhook.count({ where }),
      this.database.webhook.findMany({
        where,
        select: SHOWN,
        orderBy: { id: 'asc' },
        skip: (input.page - 1) * input.per_page,
        take: input.per_page,
      }),
    ])
    const now = this.clock.now()
    return page(
      rows.map((row) => toWebhook(row, now)),
      count,
      input,
    )
  }
}
