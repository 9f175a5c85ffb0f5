import { normal, numbers } from '../numbers.js'
import { mixed } from '../location-accuracy/hard-street/shadowing.js'
import type { Spot } from '../location-accuracy/flat.js'
import type { Scene } from './scenes.js'

/** Path loss indoors (3GPP TR 38.901, table 7.4.1-1, InH: 38.3 dB a decade out of sight, 17.3 in it), shadowing and walls, in dB. */
const SENT_DBM = -35
const DB_A_DECADE = 25
const WALL_DB = 4
const SHADOW_DB = 5
const FADING_DB = 3
const FAINTEST_DBM = -90
const OFFSET_DB = 4
/** Within this, in meters, errors of distances are the same. */
const SAME_PLACE_METERS = 2
const OUTLIER_METERS = { least: 3, most: 15 } as const

/** An access point: where it hangs, and how high above devices. */
export interface Responder extends Spot {
  readonly index: number
  readonly above: number
}

/** What a device receives from one. */
export interface Received {
  readonly responder: Responder
  readonly signalDbm: number
  /** Left out if it is too far away to answer. */
  readonly meters: number | undefined
}

/** A device with offsets of its own. */
export class Device {
  private readonly offsetDb: number
  private readonly offsetMeters: number

  constructor(
    private readonly scene: Scene,
    private readonly next: () => number,
  ) {
    this.offsetDb = OFFSET_DB * normal(next)
    this.offsetMeters = scene.errors.offset * normal(next)
  }

  /** Returns what it receives at a spot, the strongest first. */
  receive(spot: Spot, responders: readonly Responder[]): Received[] {
    return responders
      .flatMap((responder) => this.from(responder, spot))
      .sort((a, b) => b.signalDbm - a.signalDbm)
  }

  private from(responder: Responder, spot: Spot): Received[] {
    const { scene, next, offsetDb } = this
    const meters = Math.hypot(responder.x - spot.x, responder.y - spot.y, responder.above)
    const walls = scene.walls(spot, responder)
    const signalDbm = Math.round(
      SENT_DBM -
        DB_A_DECADE * Math.log10(meters) -
        WALL_DB * walls +
        SHADOW_DB * atPlace(responder, spot, 1) +
        FADING_DB * normal(next) +
        offsetDb,
    )
    if (signalDbm < FAINTEST_DBM) return []
    return [
      {
        responder,
        signalDbm,
        meters: meters > scene.reach ? undefined : this.measured(meters, walls, responder, spot),
      },
    ]
  }

  private measured(meters: number, walls: number, responder: Responder, spot: Spot): number {
    const { scene, next, offsetMeters } = this
    const { places, noise, wall, detour, outliers } = scene.errors
    const exponential = (mean: number) => -mean * Math.log(1 - next())
    let behind = walls > 0 ? exponential(detour) : 0
    for (let one = 0; one < walls; one++) behind += exponential(wall)
    const { least, most } = OUTLIER_METERS
    const outlier = next() < outliers ? least + (most - least) * next() : 0
    return (
      meters + offsetMeters + places * atPlace(responder, spot, 2) + noise * normal(next) + behind + outlier
    )
  }
}

/** A normally distributed number that is the same at one place for one access point. */
function atPlace({ index }: Responder, { x, y }: Spot, what: number): number {
  const [column, row] = [Math.floor(x / SAME_PLACE_METERS), Math.floor(y / SAME_PLACE_METERS)]
  return normal(numbers(mixed(mixed(mixed(mixed(index) + column) + row) + what)))
}
