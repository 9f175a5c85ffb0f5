import { randomInt } from 'node:crypto'
import { GatheredPlaces, type GatheredPlace } from '@bearing/positioning/gathered-places'
import { toCoordinates } from '@bearing/positioning/sphere'
import { FIELD, rowTemplate, writeAddress } from './copy-rows.js'
import { addedTemplate, type Gathering, type RowForm } from './gathering.js'
import { CREATE_OBSERVED, REFINE_KNOWN } from './merge-statements.js'

/** Of this process: who imports cannot choose addresses that take each other's place while they are gathered. */
const SEED = randomInt(2 ** 32)
/** The most that a column of integers holds. */
const MAX_INTEGER = 2 ** 31 - 1

/** Observations, combined to one place for each access point. */
export class GatheredObservations implements Gathering {
  readonly merge = { create: CREATE_OBSERVED, change: REFINE_KNOWN }
  readonly added: RowForm
  readonly known: RowForm
  private readonly places: GatheredPlaces

  /** @param capacity how many access points it takes before it is cleared */
  constructor(capacity: number, layer: string, now: Date) {
    this.places = new GatheredPlaces(capacity, SEED)
    this.added = addedForm(this.places, layer, now)
    this.known = knownForm(this.places)
  }

  get size(): number {
    return this.places.size
  }

  take(bssid: number, lat: number, lon: number, signalDbm: number | undefined): void {
    this.places.observe(bssid, lat, lon, signalDbm)
  }

  *tidy(): Generator<void, void, undefined> {
    // They are one for each access point already.
  }

  inOrder(): Generator<void, Uint32Array, undefined> {
    return this.places.inOrder()
  }

  bssid(number: number): number {
    return this.places.bssid(number)
  }

  observations(number: number): number {
    return storedCount(this.places.place(number))
  }

  clear(): void {
    this.places.clear()
  }
}

function storedCount({ observations }: GatheredPlace): number {
  return Math.min(observations, MAX_INTEGER)
}

function addedForm(places: GatheredPlaces, layer: string, now: Date): RowForm {
  const template = addedTemplate(layer, false, now)
  const [bssidAt = 0, latAt = 0, lonAt = 0, spreadAt = 0, weightAt = 0, observationsAt = 0] = template.starts
  return {
    template,
    write: (view, start, number) => {
      const place = places.place(number)
      const { lat, lon } = toCoordinates(place)
      writeAddress(view, start + bssidAt, place.bssid)
      view.setFloat64(start + latAt, lat)
      view.setFloat64(start + lonAt, lon)
      view.setFloat64(start + spreadAt, Math.sqrt(place.squares / place.weight))
      view.setFloat64(start + weightAt, place.weight)
      view.setInt32(start + observationsAt, storedCount(place))
    },
  }
}

function knownForm(places: GatheredPlaces): RowForm {
  const template = rowTemplate(Array.from({ length: 7 }, FIELD.number))
  const [bssidAt = 0, observationsAt = 0, ...others] = template.starts
  return {
    template,
    write: (view, start, number) => {
      const { bssid, observations, weight, x, y, z, squares } = places.place(number)
      writeAddress(view, start + bssidAt, bssid)
      view.setFloat64(start + observationsAt, observations)
      for (const [index, value] of [weight, x, y, z, squares].entries())
        view.setFloat64(start + (others[index] ?? 0), value)
    },
  }
}
