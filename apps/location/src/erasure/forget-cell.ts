import {
  formatCell,
  isUsableCell,
  radioOf,
  type CellKey,
} from '@bearing/contracts/location/cells/cell-identity'
import { invalidInput } from '@bearing/contracts/errors'
import { forgetCell } from '@bearing/contracts/location/access-points/erase-stations'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { recordAudit } from '../ground/audit-log.js'
import { organizationOf, writableLayer } from '../ground/layer.js'
import { RADIO_CELL } from '../ground/stations/radio-cell.js'
import { addTombstones, removeLearnedRows } from './erased-rows.js'
import { clientOf, Erasure } from './erasure.js'

/** Erases one radio cell from a layer, permanently. */
@Controller()
export class ForgetCell {
  constructor(private readonly erasure: Erasure) {}

  @Handle(forgetCell)
  async execute(input: Input<typeof forgetCell>, by: Principal): Promise<Output<typeof forgetCell>> {
    const layer = writableLayer(input.organization_id, by)
    const key = keyOf(input)
    const where = { organizationId: layer, ...key }
    let removed = 0
    await this.erasure.erase(layer, async (transaction, now, isMine) => {
      const client = clientOf(transaction)
      await addTombstones(client, RADIO_CELL, layer, [key], now)
      const learned = isMine
        ? await removeLearnedRows(client, RADIO_CELL, layer, [key])
        : await transaction.learnedCell.count({ where })
      const imported = await transaction.cell.deleteMany({ where })
      removed = Math.max(learned, imported.count)
      recordAudit(transaction, by, {
        action: 'cell.forgotten',
        target: ['cell', formatCell(key)],
        organizationId: organizationOf(layer),
      })
      // The sums of a layer are those of access points.
      return { access_points: 0, observations: 0 }
    })
    return { removed }
  }
}

function keyOf(input: Input<typeof forgetCell>): CellKey {
  const { mobileCountryCode: mcc, mobileNetworkCode: mnc, locationAreaCode: area, cellId: cell } = input
  const radio = radioOf(input.radioType)
  const key = radio && { radio, mcc, mnc, area, cell }
  if (key && isUsableCell(key)) return key
  throw invalidInput('/cellId', 'must be an area code and a cell identity that a cell of this radio can have')
}
