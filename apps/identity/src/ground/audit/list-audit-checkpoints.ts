import { listAuditCheckpoints } from '@bearing/contracts/identity/audit/audit-checkpoint'
import type { Input, Output } from '@bearing/contracts/operation'
import { page } from '@bearing/contracts/primitives'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../database.js'
import { CheckpointKeys } from './checkpoint-keys.js'

@Controller()
export class ListAuditCheckpoints {
  constructor(
    private readonly database: Database,
    private readonly keys: CheckpointKeys,
  ) {}

  @Handle(listAuditCheckpoints)
  async execute(input: Input<typeof listAuditCheckpoints>): Promise<Output<typeof listAuditCheckpoints>> {
    const where = { chain: input.organization_id }
    const [count, rows] = await Promise.all([
      this.database.auditCheckpoint.count({ where }),
      this.database.auditCheckpoint.findMany({
        where,
        orderBy: { size: 'desc' },
        skip: (input.page - 1) * input.per_page,
        take: input.per_page,
      }),
    ])
    const { data, paging } = page(
      rows.map(({ size, at, note }) => ({ size: Number(size), at: at.toISOString(), note })),
      count,
      input,
    )
    return { data, paging, verification_keys: this.keys.verificationKeys(input.organization_id) }
  }
}
