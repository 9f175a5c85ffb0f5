import { accessPointsChanged } from '@bearing/contracts/location/access-point-import'
import type { EventData } from '@bearing/contracts/operation'
import type pg from 'pg'
import { takeLayer } from '../ground/locks.js'
import { organizationOf } from '../ground/layer.js'
import { storeEvent } from '../ground/outbox.js'
import { untilDone } from './short-transaction.js'
import { removeLearned, sweepLearned } from './sweep-learned.js'
import { removeLearnedCells, sweepLearnedCells } from './sweep-learned-cells.js'
import { sweepObservations } from './sweep-observations.js'
import { sweepReferences } from './sweep-references.js'
import { noteSwept, readAddresses, readAreas, type ToSweep } from './to-sweep.js'

/** What sweeping takes from outside. */
export interface SweepContext {
  readonly now: () => Date
  readonly newId: () => string
}

/** The sweep of a layer. After each step others may have their turn; `blocked`: somebody else holds what the next one needs. */
export type Sweep = AsyncGenerator<'blocked' | undefined, void, undefined>

/**
 * Takes all that a layer has to forget out of what was learned, contributed and stored in it: areas, access points and radio cells
 * in one pass, in short transactions. Whoever is ended in it leaves it to be begun again; nothing of it does harm twice.
 *
 * Who learns in the layer has seen what is to be forgotten, from the moment on in which nobody did who began before; so it comes
 * back while it is swept as little as later, and learning need not wait. Who learns it anew does wait, for a page.
 *
 * @param client in no transaction; between steps it may be used for others
 */
export async function* sweepLayer(client: pg.ClientBase, layer: string, { now, newId }: SweepContext): Sweep {
  const areas = await readAreas(client, layer)
  if (areas.length > 0) {
    yield* settle(client, layer)
    const places = areas.map(({ key }) => key.area)
    yield* sweepLearned(client, layer, places, now())
    yield* sweepLearnedCells(client, layer, places)
  }
  // Those among them that are in one of the areas.
  const toSweep: ToSweep = { areas, ...(await readAddresses(client, layer)) }
  yield* settle(client, layer)
  yield* removeLearned(
    client,
    layer,
    toSweep.bssids.map(({ key }) => key),
  )
  yield* removeLearnedCells(
    client,
    layer,
    toSweep.cells.map(({ key }) => key),
  )
  // It was still there, and may have been read, between the reply to who forgot it and now.
  yield* untilDone(client, () => tell(client, layer, newId(), now()))
  const unreadable = yield* sweepObservations(client, layer, toSweep)
  yield* sweepReferences(client, layer, toSweep)
  yield* untilDone(client, () => noteSwept(client, layer, toSweep, now()))
  // Nobody shows or learns what they say of it; with another version it can be forgotten once more.
  if (unreadable > 0)
    throw new Error(`${String(unreadable)} contributions stay as they are: this version cannot read them`)
}

/** Waits until nobody learns who may have begun before it was forgotten. */
async function* settle(client: pg.ClientBase, layer: string): Sweep {
  yield* untilDone(client, () => takeLayer(client, layer))
}

async function tell(client: pg.ClientBase, layer: string, id: string, now: Date): Promise<void> {
  const data: EventData<typeof accessPointsChanged> = { id, organization_id: organizationOf(layer) }
  await storeEvent(client, { id, subject: accessPointsChanged.subject, data }, now)
}
