import type { Knowledge } from '@bearing/positioning/access-points/access-point-model'
import { FlatMap, type Place } from '../location-accuracy/flat.js'
import { normal } from '../numbers.js'
import type { Received, Responder } from './measure.js'
import type { Scene } from './scenes.js'

export const MAP = new FlatMap({ lat: 48.1, lon: 11.5 })
/** How exact the places of surveyed access points are, as a standard deviation on an axis in meters. */
const SURVEY_METERS = 0.5
/** The same of a list that was collected, not surveyed. */
const LIST_METERS = 12
const ACCESS_POINTS = 0x02_00_00_00_00_00

/** What is wrong with the places that are known. */
export type Places = 'right' | 'one moved' | 'a rough list'

/** Where access points are said to be. */
export class Directory {
  private readonly said: readonly Place[]
  private readonly wrong: readonly Place[]

  constructor(
    scene: Scene,
    responders: readonly Responder[],
    private readonly places: Places,
    next: () => number,
  ) {
    const meters = places === 'a rough list' ? LIST_METERS : SURVEY_METERS
    this.said = responders.map(({ x, y }) =>
      MAP.place({ x: x + meters * normal(next), y: y + meters * normal(next) }),
    )
    this.wrong = responders.map(({ x, y }) => {
      for (;;) {
        const other = { x: scene.width * next(), y: scene.height * next() }
        if (Math.hypot(other.x - x, other.y - y) > Math.min(scene.width, scene.height) / 3)
          return MAP.place(other)
      }
    })
  }

  /** Returns what is declared of an access point; of the strongest of a scan another place if one has moved. */
  declared(bssid: number, [strongest]: readonly Received[]): Knowledge {
    const index = indexOf(bssid)
    const isMoved = this.places === 'one moved' && strongest?.responder.index === index
    const place = (isMoved ? this.wrong : this.said)[index] ?? { lat: 0, lon: 0 }
    return { ...place, spreadMeters: 0, observations: 1 }
  }
}

export function bssidOf({ index }: Responder): number {
  return ACCESS_POINTS + 64 * (index + 1)
}

function indexOf(bssid: number): number {
  return (bssid - ACCESS_POINTS) / 64 - 1
}
