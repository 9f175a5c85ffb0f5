import { resolveGroundFix } from '@bearing/contracts/location/lookups/ground-fix'
import { allGiven, leftOutOf } from '@bearing/contracts/location/access-points/left-out'
import { confidenceOf } from '@bearing/contracts/location/lookups/location-options'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { ResolvedAnswer } from '../../positions/resolved-answer.js'
import { Search } from '../sources/location-source.js'
import { Locator } from '../sources/locator.js'
import { groundFixNotFound } from './ground-fix-not-found.js'
import { scansOf } from './scans-of.js'

/** Resolves a Wi-Fi scan and radio cells. */
@Controller()
export class ResolveGroundFix {
  constructor(
    private readonly locator: Locator,
    private readonly answer: ResolvedAnswer,
  ) {}

  @Handle(resolveGroundFix)
  async execute(input: Input<typeof resolveGroundFix>): Promise<Output<typeof resolveGroundFix>> {
    const { cellTowers, lte, ltecatm, nbiot, confidence, reply, device_id } = input
    const previousScans = allGiven(input.previousScans)
    const scans = scansOf(input)
    const accessPoints = scans.flatMap((scan) => scan.accessPoints)
    const cells = { cellTowers, lte, ltecatm, nbiot }
    const heard = { accessPoints, previousScans, cells, asksProvider: true }
    const search = new Search(input, heard, confidenceOf(input))
    const position = await this.locator.locate(search)
    if (!position) throw groundFixNotFound(search, scans)
    const { accessPointCounts, cellCounts } = search
    const leftOut = leftOutOf({ confidence, reply, device_id, previousScans: input.previousScans })
    return this.answer.of(input, {
      ...{ ...position, accessPoints: accessPointCounts, cells: cellCounts },
      ...leftOut,
    })
  }
}
