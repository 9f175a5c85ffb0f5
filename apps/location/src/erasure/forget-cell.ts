import { formatCell, isUsableCell, radioOf } from '@bearing/contracts/location/cell-identity'
import { OperationError } from '@bearing/contracts/errors'
import { forgetCell } from '@bearing/contracts/location/forgetting'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { AuditLog } from '../ground/audit-log.js'
import { organizationOf, writableLayer } from '../ground/layer.js'
import { Forgetting } from './erasure.js'

/** Forgets one radio cell of a layer, for good. */
@Controller()
export class ForgetCell {
  constructor(
    private readonly forgetting: Forgetting,
    private readonly audit: AuditLog,
  ) {}

  @Handle(forgetCell)
  async execute(input: Input<typeof forgetCell>, by: Principal): Promise<Output<typeof forgetCell>> {
    const layer = writableLayer(input.organization_id, by)
    const key = keyOf(input)
    const { radio, mcc, mnc, area, cell } = key
    let removed = 0
    await this.forgetting.from(layer, async (transaction, now, isMine) => {
      // Forgotten again: what was stored of it in between, by a service from before, is looked for again.
      await transaction.$executeRaw`
        INSERT INTO forgotten_cells
        VALUES (${layer}::uuid, ${radio}::smallint, ${mcc}::smallint, ${mnc}::smallint, ${area}::int, ${cell}::bigint, ${now}, NULL)
        ON CONFLICT (organization_id, radio, mcc, mnc, area, cell) DO UPDATE SET swept_at = NULL`
      const where = { organizationId: layer, radio, mcc, mnc, area, cell }
      const learned = isMine
        ? (await transaction.learnedCell.deleteMany({ where })).count
        : await transaction.learnedCell.count({ where })
      const imported = await transaction.cell.deleteMany({ where })
      removed = Math.max(learned, imported.count)
      await this.audit.record(transaction, by, {
        action: 'cell.forgotten',
        target: ['cell', formatCell(key)],
        organizationId: organizationOf(layer),
      })
      // Cells are no access points of the layer.
      return { access_points: 0, observations: 0 }
    })
    return { removed }
  }
}

function keyOf(input: Input<typeof forgetCell>) {
  const { mobileCountryCode: mcc, mobileNetworkCode: mnc, locationAreaCode: area, cellId: cell } = input
  const radio = radioOf(input.radioType)
  const key = radio && { radio, mcc, mnc, area, cell }
  if (key && isUsableCell(key)) return key
  const detail = 'must be an area code and a cell identity that a cell of this radio can have'
  throw new OperationError('invalid_input', `/cellId ${detail}`, {
    errors: [{ pointer: '/cellId', detail }],
  })
}
