import { resolveGroundFix } from '@bearing/contracts/location/ground-fix'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { FallbackLocator } from '../fallback/fallback-locator.js'
import { ResolvedAnswer } from '../positions/resolved-answer.js'
import { GroundLocator } from './ground-locator.js'

/** Turns a Wi-Fi scan and radio cells into a position. */
@Controller()
export class ResolveGroundFix {
  constructor(
    private readonly locator: GroundLocator,
    private readonly answer: ResolvedAnswer,
    private readonly fallback: FallbackLocator,
  ) {}

  @Handle(resolveGroundFix)
  async execute(input: Input<typeof resolveGroundFix>): Promise<Output<typeof resolveGroundFix>> {
    const { wifi = [], accessPoints = [], confidence, cellTowers, lte } = input
    const scan = [...accessPoints, ...(Array.isArray(wifi) ? wifi : wifi.accessPoints)]
    const heard = { accessPoints: scan, cellTowers, lte }
    const fix = await this.locator.locate(input, heard, confidence, () =>
      this.fallback.locate(input, heard, confidence),
    )
    return this.answer.of(input, fix)
  }
}
