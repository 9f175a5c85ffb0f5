import { OperationError } from '@bearing/contracts/errors'
import { resolveCellLocation } from '@bearing/contracts/location/cell'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { FallbackLocator } from '../fallback/fallback-locator.js'
import { ResolvedAnswer } from '../../positions/resolved-answer.js'
import { CellLocator } from './cell-locator.js'

/** Turns radio cells into a position. */
@Controller()
export class ResolveCellLocation {
  constructor(
    private readonly locator: CellLocator,
    private readonly answer: ResolvedAnswer,
    private readonly fallback: FallbackLocator,
  ) {}

  @Handle(resolveCellLocation)
  async execute(input: Input<typeof resolveCellLocation>): Promise<Output<typeof resolveCellLocation>> {
    const { position, cells } = await this.locator.locate(input, input, input.confidence)
    if (position) return this.answer.of(input, { ...position, cells })
    if (cells.usable === 0)
      throw new OperationError(
        'nothing_usable',
        'The request has no cell that could be looked up. Each needs a country, network and area code and an identity, in "cellTowers" or "lte".',
        { reason: 'too_few_usable' },
      )
    const told = await this.fallback.locate(
      input,
      { cellTowers: input.cellTowers, lte: input.lte },
      input.confidence,
    )
    if (told)
      return this.answer.of(input, { ...told, fulfilledWith: cells.usable > 1 ? 'MCELL' : 'SCELL', cells })
    throw new OperationError(
      'location_not_found',
      `None of the ${String(cells.usable)} usable cells in the request is known.`,
      { reason: 'none_known' },
    )
  }
}
