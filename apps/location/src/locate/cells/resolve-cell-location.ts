import { OperationError } from '@bearing/contracts/errors'
import { resolveCellLocation } from '@bearing/contracts/location/cells/cell'
import { leftOutOf } from '@bearing/contracts/location/access-points/left-out'
import { confidenceOf } from '@bearing/contracts/location/lookups/location-options'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { ResolvedAnswer } from '../../positions/resolved-answer.js'
import { Search } from '../sources/location-source.js'
import { HOW_TO_GET_COVERAGE } from '../how-to-get-coverage.js'
import { Locator } from '../sources/locator.js'

/** Resolves radio cells. */
@Controller()
export class ResolveCellLocation {
  constructor(
    private readonly locator: Locator,
    private readonly answer: ResolvedAnswer,
  ) {}

  @Handle(resolveCellLocation)
  async execute(input: Input<typeof resolveCellLocation>): Promise<Output<typeof resolveCellLocation>> {
    const { cellTowers, lte, ltecatm, nbiot, confidence, reply, device_id } = input
    const search = new Search(
      input,
      { cells: { cellTowers, lte, ltecatm, nbiot }, asksProvider: true },
      confidenceOf(input),
    )
    const position = await this.locator.locate(search)
    const { cellCounts: cells } = search
    if (position) {
      const fulfilledWith = position.fulfilledWith === 'MCELL' ? 'MCELL' : 'SCELL'
      const leftOut = leftOutOf({ confidence, reply, device_id })
      return this.answer.of(input, { ...position, fulfilledWith, cells, ...leftOut })
    }
    if (cells.usable === 0)
      throw new OperationError(
        'nothing_usable',
        'The request has no usable cell. Each needs a country, network and area code and an identity, in "cellTowers" or "lte".',
        { reason: 'too_few_usable' },
      )
    throw new OperationError(
      'location_not_found',
      `None of the ${String(cells.usable)} usable cells in the request is known. ${HOW_TO_GET_COVERAGE}`,
      { reason: 'none_known' },
    )
  }
}
