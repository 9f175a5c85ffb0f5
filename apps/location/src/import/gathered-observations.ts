import { randomInt } from 'node:crypto'
import { GatheredPlaces, type GatheredPlace } from '@bearing/positioning/access-points/gathered-places'
import { toCoordinates } from '@bearing/positioning/earth/sphere'
import type pg from 'pg'
import { readRows } from '../ground/read-rows.js'
import { copyInto, FIELD, rowTemplate, writeAddress, type RowForm } from './copy-rows.js'
import { findKnown } from './find-known.js'
import { addedTemplate, type Changes, type Destination, type Gathering } from './gathering.js'
import { CREATE_OBSERVED, REFINE_KNOWN } from './refine-statements.js'

/** Of this process: who imports cannot choose addresses that take each other's place while they are gathered. */
const SEED = randomInt(2 ** 32)
/** The most that a column of integers holds. */
const MAX_INTEGER = 2 ** 31 - 1

/** Observations, combined to one place for each access point. */
export class GatheredObservations implements Gathering {
  readonly added: RowForm
  private readonly known: RowForm
  private readonly places: GatheredPlaces

  /** @param capacity how many access points it takes before it is cleared */
  constructor(
    capacity: number,
    private readonly destination: Destination,
  ) {
    this.places = new GatheredPlaces(capacity, SEED)
    this.added = addedForm(this.places, destination)
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

  observations(number: number): number {
    return storedCount(this.places.place(number))
  }

  clear(): void {
    this.places.clear()
  }

  /** Only what the layer has is put beside it and joined. */
  async mergeKnown(client: pg.ClientBase, order: Uint32Array, changes: Changes): Promise<Uint32Array> {
    const { layer, now } = this.destination
    const { known, unknown } = await findKnown(client, layer, order, (number) => this.places.bssid(number))
    if (known.length > 0) {
      await client.query(CREATE_OBSERVED)
      await copyInto(client, 'gathered', known, this.known)
      const [refined] = await readRows(client, REFINE_KNOWN, [layer, now])
      await client.query('DROP TABLE gathered')
      changes.updated += refined?.access_points ?? 0
      changes.observations += refined?.observations ?? 0
    }
    return unknown
  }
}

function storedCount({ observations }: GatheredPlace): number {
  return Math.min(observations, MAX_INTEGER)
}

function addedForm(places: GatheredPlaces, destination: Destination): RowForm {
  const template = addedTemplate(destination, false)
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
