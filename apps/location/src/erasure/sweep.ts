import { accessPointsChanged } from '@bearing/contracts/location/access-points/access-point-import'
import { recordEvent, type Transactions } from '@bearing/service/store/transactions'
import type pg from 'pg'
import { organizationOf } from '../ground/layer.js'
import { takeLayer } from '../ground/locks.js'
import { STATIONS } from '../ground/stations/stations.js'
import { untilDone, type Steps } from './pages.js'
import { removeLearned, sweepLearned } from './sweep-learned.js'
import { sweepObservations } from './sweep-observations.js'
import { sweepReferences } from './sweep-references.js'
import { noteSwept, readAreas, readStations, type ToSweep } from './to-sweep.js'

/** Dependencies that a process passes to a sweep. */
export interface SweepContext {
  readonly now: () => Date
  readonly transactions: Transactions
}

/**
 * Removes all that was erased from a layer from learned, contributed and stored data, in one pass of short transactions. An
 * interrupted sweep starts again; steps can be repeated.
 *
 * Tombstones are written before the sweep, and learning reads them under the lock of the layer. So once the transactions that
 * began earlier have ended, nothing comes back, and learning continues during the sweep.
 *
 * @param client in no transaction; between steps it may be used for other layers
 */
export async function* sweepLayer(
  client: pg.ClientBase,
  layer: string,
  { now, transactions }: SweepContext,
): Steps {
  const areas = await readAreas(client, layer)
  if (areas.length > 0) {
    yield* settle(client, layer)
    const sweeping = { layer, areas: areas.map(({ area }) => area), now: now() }
    for (const station of STATIONS) yield* sweepLearned(client, station, sweeping)
  }
  // Includes the stations that stand in one of the areas.
  const toSweep: ToSweep = { areas, stations: await readStations(client, layer) }
  yield* settle(client, layer)
  for (const { station, keys } of toSweep.stations)
    yield* removeLearned(
      client,
      station,
      layer,
      keys.map(({ key }) => key),
    )
  // Caches may have read it between the reply to the caller and now.
  await transactions.runOn(client, async () => {
    recordEvent(client, accessPointsChanged, { organization_id: organizationOf(layer) })
    return Promise.resolve()
  })
  const unreadable = yield* sweepObservations(client, layer, toSweep)
  yield* sweepReferences(client, layer, toSweep)
  yield* untilDone(client, () => noteSwept(client, layer, toSweep, now()))
  // Nobody shows or learns them; a version that can read them can sweep them if it is erased again.
  if (unreadable > 0)
    throw new Error(`${String(unreadable)} contributions stay as they are: this version cannot read them`)
}

/** Waits for transactions that began to learn before the tombstones were written. */
async function* settle(client: pg.ClientBase, layer: string): Steps {
  yield* untilDone(client, () => takeLayer(client, layer))
}
