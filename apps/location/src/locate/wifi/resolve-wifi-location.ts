import { OperationError, type Mistake } from '@bearing/contracts/errors'
import { mistakesOf } from '@bearing/contracts/location/heard-access-point'
import { resolveWifiLocation } from '@bearing/contracts/location/wifi'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { FallbackLocator } from '../fallback/fallback-locator.js'
import { ResolvedAnswer } from '../../positions/resolved-answer.js'
import { LocatingRules } from './locating-rules.js'
import { SharedMisses } from './shared-misses.js'
import { tellUnreadable } from './tell-unreadable.js'
import { WifiLocator, type WifiFix } from './wifi-locator.js'

type NotFound = Extract<WifiFix, { found: false }>

/** Turns a Wi-Fi scan into a position. */
@Controller()
export class ResolveWifiLocation {
  constructor(
    private readonly wifi: WifiLocator,
    private readonly rules: LocatingRules,
    private readonly answer: ResolvedAnswer,
    private readonly fallback: FallbackLocator,
    private readonly misses: SharedMisses,
  ) {}

  @Handle(resolveWifiLocation)
  async execute(input: Input<typeof resolveWifiLocation>): Promise<Output<typeof resolveWifiLocation>> {
    const fix = await this.wifi.locate(input, input.accessPoints ?? [], input.confidence)
    if (!fix.found) return this.elsewhere(input, fix)
    const { found: _, ...position } = fix
    return this.answer.of(input, { ...position, fulfilledWith: 'WIFI' })
  }

  private async elsewhere(
    input: Input<typeof resolveWifiLocation>,
    fix: NotFound,
  ): Promise<Output<typeof resolveWifiLocation>> {
    if (fix.reason === 'rate_limited') throw this.misses.refusal(input.organization_id)
    const sent = input.accessPoints ?? []
    const told =
      fix.reason === 'too_few_known'
        ? await this.fallback.locate(input, { accessPoints: sent }, input.confidence)
        : undefined
    if (!told) throw explained(fix, this.rules.minRadios, mistakesOf(sent, '/accessPoints'))
    return this.answer.of(input, { ...told, fulfilledWith: 'WIFI', accessPoints: fix.accessPoints })
  }
}

/** Says how many there were and how many it takes, but nothing that tells which of them are known. */
function explained(
  { reason, accessPoints }: NotFound,
  needed: number,
  unreadable: readonly Mistake[],
): OperationError {
  const usable = `${String(accessPoints.usable)} usable access point${accessPoints.usable === 1 ? '' : 's'}`
  const details = { reason, accessPoints }
  const told = tellUnreadable(unreadable)
  if (reason === 'too_few_usable')
    return new OperationError(
      'too_few_access_points',
      `The scan has ${usable}, and at least ${String(needed)} different radios are needed. Addresses of one radio count once; group and all-zero addresses, networks that opted out, and readings older than the rest do not count.${told.sentence}`,
      { ...details, ...told.details },
    )
  return new OperationError(
    'location_not_found',
    `Of the ${usable} in the scan, fewer than ${String(needed)} radios are known to be near each other.`,
    details,
  )
}
