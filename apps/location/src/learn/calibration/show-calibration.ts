import { Calibration, showCalibration } from '@bearing/contracts/location/calibration'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { LEAST_SCANS } from '@bearing/positioning/calibration/own-calibration'
import { FEATURES } from '@bearing/positioning/estimate/uncertainty'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'

/** Shows the calibration of an organization. */
@Controller()
export class ShowCalibration {
  constructor(private readonly database: Database) {}

  @Handle(showCalibration)
  async execute(input: Input<typeof showCalibration>): Promise<Output<typeof showCalibration>> {
    const row = await this.database.calibration.findUnique({
      where: { organizationId: input.organization_id },
    })
    return {
      source: row?.radius68.length === FEATURES ? 'own' : 'usual',
      fitted_at: row?.fittedAt?.toISOString() ?? null,
      scans: row?.scans ?? 0,
      outcomes: row?.outcomes ?? 0,
      needed: LEAST_SCANS,
      held: Calibration.shape.held.parse(row?.held ?? null),
    }
  }
}
