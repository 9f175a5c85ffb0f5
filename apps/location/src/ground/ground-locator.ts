import { OperationError } from '@bearing/contracts/errors'
import type { HeardAccessPoint } from '@bearing/contracts/location/heard-access-point'
import type { resolveGroundFix } from '@bearing/contracts/location/ground-fix'
import type { Output } from '@bearing/contracts/operation'
import { Injectable } from '@nestjs/common'
import { CellLocator } from '../cells/cell-locator.js'
import type { ToldPosition } from '../fallback/fallback-locator.js'
import type { SentCells } from '../cells/rules/read-cells.js'
import type { Scope } from '../scope.js'
import { WifiLocator } from '../wifi/wifi-locator.js'

/** What a device hears of the ground. */
export interface Heard extends SentCells {
  readonly accessPoints: readonly HeardAccessPoint[]
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
  ) {}

  /**
   * Where a device is. Cells are looked up where the Wi-Fi scan does not say.
   *
   * @param confidence how often the uncertainty should hold the truth, in per cent: 50 to 99
   * @param elsewhere asked where neither is known
   * @throws OperationError `nothing_usable`, `location_not_found`
   */
  async locate(
    scope: Scope,
    heard: Heard,
    confidence: number,
    elsewhere: () => Promise<ToldPosition | undefined> = nowhere,
  ): Promise<GroundFix> {
    const byWifi = await this.wifi.locate(scope, heard.accessPoints, confidence)
    if (byWifi.found) {
      const { found: _, ...position } = byWifi
      const received = (heard.cellTowers?.length ?? 0) + (heard.lte?.length ?? 0)
      return { ...position, fulfilledWith: 'WIFI', cells: { received, usable: 0, known: 0, used: 0 } }
    }
    const { accessPoints } = byWifi
    const { position, cells } = await this.cell.locate(scope, heard, confidence, heard.radioType)
    if (position) return { ...position, accessPoints, cells }
    if (cells.usable === 0 && byWifi.reason === 'too_few_usable')
      throw new OperationError(
        'nothing_usable',
        'The request has neither two different radios of Wi-Fi nor a cell that could be looked up.',
        { reason: byWifi.reason, accessPoints },
      )
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
