import { OperationError } from '@bearing/contracts/errors'
import { mistakesOf, type SentAccessPoints } from '@bearing/contracts/location/heard-access-point'
import type { resolveGroundFix } from '@bearing/contracts/location/ground-fix'
import type { Output } from '@bearing/contracts/operation'
import { Injectable } from '@nestjs/common'
import { CellLocator } from '../cells/cell-locator.js'
import type { ToldPosition } from '../fallback/fallback-locator.js'
import { countCells, readCells, type SentCells } from '../cells/rules/read-cells.js'
import type { Scope } from '../../ground/scope.js'
import { tellUnreadable } from '../wifi/tell-unreadable.js'
import { SharedMisses } from '../wifi/shared-misses.js'
import { WifiLocator } from '../wifi/wifi-locator.js'

/** A list of access points, and where it stands in the request (JSON pointer, RFC 6901). */
export interface SentScan {
  readonly pointer: string
  readonly accessPoints: SentAccessPoints
}

/** What a device hears of the ground. */
export interface Heard extends SentCells {
  readonly scans: readonly SentScan[]
  /** Radio type of cells that do not say their own; LTE unless given. */
  readonly radioType?: string | undefined
}

/** A position by Wi-Fi, or else by radio cells. */
export type GroundFix = NonNullable<Output<typeof resolveGroundFix>>

/** Locates by all that a device hears: by Wi-Fi where that is enough, else by radio cells. */
@Injectable()
export class GroundLocator {
  constructor(
    private readonly wifi: WifiLocator,
    private readonly cell: CellLocator,
    private readonly misses: SharedMisses,
  ) {}

  /**
   * Where a device is. Cells are looked up where the Wi-Fi scan does not say.
   *
   * @param confidence how often the uncertainty should hold the truth, in per cent: 50 to 99
   * @param elsewhere asked where neither is known
   * @throws OperationError `nothing_usable`, `location_not_found`, `rate_limited`
   */
  async locate(
    scope: Scope,
    heard: Heard,
    confidence: number,
    elsewhere: () => Promise<ToldPosition | undefined> = nowhere,
  ): Promise<GroundFix> {
    const scan = heard.scans.flatMap(({ accessPoints }) => accessPoints)
    const byWifi = await this.wifi.locate(scope, scan, confidence)
    if (byWifi.found) {
      const { found: _, ...position } = byWifi
      const usable = readCells(heard, heard.radioType).length
      const cells = { received: countCells(heard), usable, known: 0, used: 0 }
      return { ...position, fulfilledWith: 'WIFI', cells }
    }
    const { accessPoints } = byWifi
    const { position, cells } = await this.cell.locate(scope, heard, confidence, heard.radioType)
    if (position) return { ...position, accessPoints, cells }
    if (byWifi.reason === 'rate_limited') throw this.misses.refusal(scope.organization_id)
    if (cells.usable === 0 && byWifi.reason === 'too_few_usable') {
      const mistakes = heard.scans.flatMap((sent) => mistakesOf(sent.accessPoints, sent.pointer))
      const told = tellUnreadable(mistakes)
      throw new OperationError(
        'nothing_usable',
        `The request has neither two different radios of Wi-Fi nor a cell that could be looked up.${told.sentence}`,
        { reason: byWifi.reason, accessPoints, ...told.details },
      )
    }
    const told = await elsewhere()
    if (told) return { ...told, accessPoints, cells }
    throw new OperationError(
      'location_not_found',
      `Neither the ${String(accessPoints.usable)} usable access points nor the ${String(cells.usable)} usable cells of the request are known well enough.`,
      { reason: 'too_few_known', accessPoints },
    )
  }
}

function nowhere(): Promise<undefined> {
  return Promise.resolve(undefined)
}
