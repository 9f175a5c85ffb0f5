import { DeclaredPlaces } from '@bearing/positioning/access-points/declared-places'
import type pg from 'pg'
import { writeAddress, type RowForm } from './copy-rows.js'
import { addedTemplate, type Changes, type Destination, type Gathering } from './gathering.js'
import { removeKnown } from './remove-known.js'

/** Positions that lists have declared: of an access point that comes again the last one. */
export class GatheredPositions implements Gathering {
  readonly added: RowForm
  private readonly places: DeclaredPlaces

  /** @param capacity how many rows it takes before it is cleared */
  constructor(
    capacity: number,
    private readonly destination: Destination,
  ) {
    this.places = new DeclaredPlaces(capacity)
    this.added = addedForm(this.places, destination)
  }

  get size(): number {
    return this.places.size
  }

  take(bssid: number, lat: number, lon: number): void {
    this.places.declare(bssid, lat, lon)
  }

  tidy(): Generator<void, void, undefined> {
    return this.places.tidy()
  }

  inOrder(): Generator<void, Uint32Array, undefined> {
    return this.places.inOrder()
  }

  observations(): number {
    return 1
  }

  clear(): void {
    this.places.clear()
  }

  /**
   * Nothing that was known of them matters any more, so all of them are deleted and inserted again: a row that is
   * updated is a new one too, and finding and writing it one by one takes Postgres twice as long as this.
   */
  async mergeKnown(client: pg.ClientBase, order: Uint32Array, changes: Changes): Promise<Uint32Array> {
    const removed = await removeKnown(client, this.destination, order, (number) => this.places.bssid(number))
    changes.added -= removed.rows
    changes.updated += removed.earlier
    changes.observations -= removed.observations
    return order
  }
}

function addedForm(places: DeclaredPlaces, destination: Destination): RowForm {
  const template = addedTemplate(destination, true)
  const [bssidAt = 0, latAt = 0, lonAt = 0] = template.starts
  return {
    template,
    write: (view, start, number) => {
      const { lat, lon } = places.place(number)
      writeAddress(view, start + bssidAt, places.bssid(number))
      view.setFloat64(start + latAt, lat)
      view.setFloat64(start + lonAt, lon)
    },
  }
}
