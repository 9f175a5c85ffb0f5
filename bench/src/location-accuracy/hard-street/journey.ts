import { normal } from '../../numbers.js'
import type { Spot } from '../flat.js'
import type { Severity } from './severities.js'
import { BLOCK, SIDE, type Town } from './town.js'

/** Walkers in meters a second (Bohannon, Age and Ageing 26, 1997: 1.3 to 1.5), and cars in a town. */
const WALK = { least: 1.2, most: 1.5 } as const
const CAR = { least: 6, most: 13 } as const
/** Duration of errors of positions, in seconds, and greatest age of positions that are written beside a scan. */
const DRIFT_SECONDS = 40
const MOST_OLD_SECONDS = 3
/** A circle of 68 % has 1.5 standard deviations of an axis. Phones do not know that they are in a canyon. */
const CLAIMED = 1.5

/** A step of a journey: the true position, and the one that the phone reports. */
export interface Step {
  readonly spot: Spot
  readonly seen: Spot
  readonly claimedMeters: number
}

/** Somebody who walks or drives along the streets, and turns at some crossings. */
export class Journey {
  private x: number
  private y: number
  private direction: readonly [east: number, north: number] = [1, 0]
  private readonly metersPerSecond: number
  private readonly oldSeconds: number
  /** Error of the position on both axes, in standard deviations. */
  private readonly drift: [number, number]

  constructor(
    private readonly severity: Severity,
    private readonly town: Town,
    private readonly next: () => number,
  ) {
    const crossing = () => BLOCK * Math.floor(next() * (SIDE / BLOCK + 1))
    this.x = crossing()
    this.y = crossing()
    const speed = next() < severity.cars ? CAR : WALK
    this.metersPerSecond = speed.least + (speed.most - speed.least) * next()
    this.oldSeconds = MOST_OLD_SECONDS * next()
    this.drift = [normal(next), normal(next)]
    this.turn()
  }

  /** Moves on for some seconds. */
  after(seconds: number): Step {
    let left = this.metersPerSecond * seconds
    while (left > 0) {
      const along = this.direction[0] === 0 ? this.y : this.x
      const ahead = this.direction[0] + this.direction[1]
      const crossing = ahead > 0 ? Math.floor(along / BLOCK) + 1 : Math.ceil(along / BLOCK) - 1
      const meters = Math.min(left, Math.abs(crossing * BLOCK - along))
      this.x += meters * this.direction[0]
      this.y += meters * this.direction[1]
      left -= meters
      if (left > 0) {
        this.x = onCrossing(this.x, this.direction[0])
        this.y = onCrossing(this.y, this.direction[1])
        this.turn()
      }
    }
    const kept = Math.exp(-seconds / DRIFT_SECONDS)
    const fresh = Math.sqrt(1 - kept ** 2)
    this.drift[0] = kept * this.drift[0] + fresh * normal(this.next)
    this.drift[1] = kept * this.drift[1] + fresh * normal(this.next)
    return this.step()
  }

  private step(): Step {
    const { severity, direction, drift } = this
    const spot = { x: this.x, y: this.y }
    const across = this.town.isCanyon(spot) ? severity.canyonMeters : severity.gpsMeters
    const behind = this.metersPerSecond * this.oldSeconds
    const isEastward = direction[0] !== 0
    const seen = {
      x: spot.x - behind * direction[0] + (isEastward ? severity.gpsMeters : across) * drift[0],
      y: spot.y - behind * direction[1] + (isEastward ? across : severity.gpsMeters) * drift[1],
    }
    return { spot, seen, claimedMeters: CLAIMED * severity.gpsMeters }
  }

  /** Chooses a street that stays in the town; straight on more often than not. */
  private turn(): void {
    const [east, north] = this.direction
    const choices = [this.direction, this.direction, [north, east], [-north, -east]] as const
    for (;;) {
      const choice = this.next() < 0.02 ? ([-east, -north] as const) : choices[Math.floor(4 * this.next())]
      if (choice && isInside(this.x + BLOCK * choice[0]) && isInside(this.y + BLOCK * choice[1])) {
        this.direction = choice
        return
      }
    }
  }
}

/** Rounding must not carry anybody past a crossing. */
function onCrossing(along: number, direction: number): number {
  return direction === 0 ? along : BLOCK * Math.round(along / BLOCK)
}

function isInside(along: number): boolean {
  return along > -1 && along < SIDE + 1
}
