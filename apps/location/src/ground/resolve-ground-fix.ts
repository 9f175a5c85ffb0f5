import { resolveGroundFix } from '@bearing/contracts/location/ground-fix'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { ResolvedAnswer } from '../positions/resolved-answer.js'
import { GroundLocator } from './ground-locator.js'

/** Turns a Wi-Fi scan and radio cells into a position. */
@Controller()
export class ResolveGroundFix {
  constructor(
    private readonly locator: GroundLocator,
    private readonly answer: ResolvedAnswer,
  ) {}

  @Handle(resolveGroundFix)
  async execute(input: Input<typeof resolveGroundFix>): Promise<Output<typeof resolveGroundFix>> {
    const { wifi = [], accessPoints = [], confidence, cellTowers, lte } = input
    const scan = [...accessPoints, ...(Array.isArray(wifi) ? wifi : wifi.accessPoints)]
    const fix = await this.locator.locate(input, { accessPoints: scan, cellTowers, lte }, confidence)
    return this.answer.of(input, fix)
  }
}
