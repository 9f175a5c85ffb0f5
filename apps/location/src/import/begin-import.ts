import { beginImport } from '@bearing/contracts/location/access-points/access-point-import'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { recordAudit } from '../ground/audit-log.js'
import { Clock } from '@bearing/service/ground/clock'
import { Database } from '../ground/database.js'
import { Randomness } from '@bearing/service/ground/randomness'
import { organizationOf, writableLayer } from '../ground/layer.js'
import { ImportLimits } from './import-limits.js'
import { viewImport } from './import-view.js'

/** Begins an import, or returns the one with the same content. */
@Controller()
export class BeginImport {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
    private readonly limits: ImportLimits,
  ) {}

  @Handle(beginImport)
  async execute(input: Input<typeof beginImport>, by: Principal): Promise<Output<typeof beginImport>> {
    const layer = writableLayer(input.organization_id, by)
    const { content, digest } = input
    const key = { organizationId: layer, digest, content }
    return this.database.transaction(async (transaction) => {
      await transaction.import.deleteMany({ where: { ...key, state: 'failed' } })
      const where = { organizationId_digest_content: key }
      if (!(await transaction.import.findUnique({ where, select: { id: true } })))
        await this.limits.refuseAnother(transaction, layer)
      const id = this.randomness.newId()
      // Waits for another transaction that begins the same import, and returns that.
      const made = await transaction.import.createMany({
        data: { ...key, id, state: 'open', createdAt: this.clock.now() },
        skipDuplicates: true,
      })
      if (made.count > 0)
        recordAudit(transaction, by, {
          action: 'access_point_import.begun',
          target: ['access_point_import', id],
          organizationId: organizationOf(layer),
          details: { content, digest },
        })
      const row = await transaction.import.findUniqueOrThrow({ where })
      return viewImport(transaction, row)
    })
  }
}
