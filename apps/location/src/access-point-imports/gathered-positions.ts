import { DeclaredPlaces } from '@bearing/positioning/declared-places'
import { FIELD, rowTemplate, writeAddress, type WriteRow } from './copy-rows.js'
import { addedTemplate, type Gathering, type RowForm } from './gathering.js'
import { CREATE_DECLARED, REPLACE_KNOWN } from './merge-statements.js'

/** Positions that lists have declared: of an access point that comes again the last one. */
export class GatheredPositions implements Gathering {
  readonly merge = { create: CREATE_DECLARED, change: REPLACE_KNOWN }
  readonly added: RowForm
  readonly known: RowForm
  private readonly places: DeclaredPlaces

  /** @param capacity how many rows it takes before it is cleared */
  constructor(capacity: number, layer: string, now: Date) {
    this.places = new DeclaredPlaces(capacity)
    const added = addedTemplate(layer, true, now)
    const known = rowTemplate([FIELD.number(), FIELD.number(), FIELD.number()])
    this.added = { template: added, write: this.writer(added.starts) }
    this.known = { template: known, write: this.writer(known.starts) }
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

  bssid(number: number): number {
    return this.places.bssid(number)
  }

  observations(): number {
    return 1
  }

  clear(): void {
    this.places.clear()
  }

  private writer([bssidAt = 0, latAt = 0, lonAt = 0]: readonly number[]): WriteRow {
    const { places } = this
    return (view, start, number) => {
      const { lat, lon } = places.place(number)
      writeAddress(view, start + bssidAt, places.bssid(number))
      view.setFloat64(start + latAt, lat)
      view.setFloat64(start + lonAt, lon)
    }
  }
}
