import { deleteAttribute } from '@bearing/contracts/management/devices/device-attribute'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/ground/clock'
import { afterCommit } from '@bearing/service/store/transactions'
import { Controller } from '@nestjs/common'
import { Database } from '../../../ground/database.js'
import { recordAudit } from '../../../ground/record-audit.js'
import { attributeNotFound } from '../lists/device-condition.js'
import { SweepAttributes } from './sweep-attributes.js'

@Controller()
export class DeleteAttribute {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly sweep: SweepAttributes,
  ) {}

  @Handle(deleteAttribute)
  async execute(
    input: Input<typeof deleteAttribute>,
    by: Principal,
  ): Promise<Output<typeof deleteAttribute>> {
    const { organization_id: organizationId, project_id: projectId, attribute: name } = input
    await this.database.transaction(async (transaction) => {
      const { count } = await transaction.declaredAttribute.updateMany({
        where: { projectId, name, deletedAt: null, project: { organizationId } },
        data: { deletedAt: this.clock.now() },
      })
      if (count === 0) throw attributeNotFound(name)
      recordAudit(transaction, by, {
        action: 'device_attribute.deleted',
        target: ['project', projectId],
        organizationId,
        details: { name },
      })
      afterCommit(transaction, () => this.sweep.kick())
    })
    return {}
  }
}
