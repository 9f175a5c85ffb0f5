import { resolveGroundFix } from '@bearing/contracts/location/ground-fix'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { FallbackLocator } from '../fallback/fallback-locator.js'
import { ResolvedAnswer } from '../../positions/resolved-answer.js'
import { GroundLocator, type SentScan } from './ground-locator.js'

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
    const { confidence, cellTowers, lte } = input
    const scans = scansOf(input)
    const fix = await this.locator.locate(input, { scans, cellTowers, lte }, confidence, () => {
      const accessPoints = scans.flatMap((scan) => scan.accessPoints)
      return this.fallback.locate(input, { accessPoints, cellTowers, lte }, confidence)
    })
    return this.answer.of(input, fix)
  }
}

/** Access points may come in two places. */
function scansOf({ accessPoints, wifi }: Input<typeof resolveGroundFix>): SentScan[] {
  return [
    { pointer: '/accessPoints', accessPoints: accessPoints ?? [] },
    Array.isArray(wifi)
      ? { pointer: '/wifi', accessPoints: wifi }
      : { pointer: '/wifi/accessPoints', accessPoints: wifi?.accessPoints ?? [] },
  ]
}
