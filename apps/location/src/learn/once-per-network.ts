import { formatCell } from '@bearing/contracts/location/cells/cell-identity'
import type pg from 'pg'
import { readRows } from '../ground/read-rows.js'
import { idFrom } from './observations/message-of.js'
import type { ObservationUpdate } from './submission.js'

/** Locks of the ids are taken in their order. */
const ADD = {
  name: 'network-evidence',
  text: `INSERT INTO network_evidence (id, seen_at) SELECT id, $1::timestamptz FROM unnest($2::uuid[]) AS given (id) ORDER BY id
    ON CONFLICT (id) DO NOTHING RETURNING id`,
  columns: { id: 'uuid' },
} as const

/**
 * Removes what client networks have contributed with project keys on the same day before: of one network each access point and cell is
 * learned once a day. Anybody who extracts the key from a device can contribute, so many observations of one network are no more
 * evidence than one. The day is that of reception, which contributors do not choose.
 *
 * @param client in the transaction that learns from them
 * @returns the updates, each observation once
 */
export async function oncePerNetwork(
  client: pg.ClientBase,
  updates: readonly ObservationUpdate[],
  now: Date,
): Promise<readonly ObservationUpdate[]> {
  if (updates.every(({ observation }) => observation.network === null)) return updates
  const once = [...new Map(updates.map((one) => [one.observation.id, one] as const)).values()]
  const day = now.toISOString().slice(0, 10)
  const wanted = new Set(once.flatMap((one) => [...evidenceIdsOf(one, day).keys()]))
  const rows = await readRows(client, ADD, [now, [...wanted].sort()])
  const left = new Set(rows.map(({ id }) => id))
  return once.map((one) => keptOf(one, evidenceIdsOf(one, day), left))
}

/** Returns the evidence ids of an observation, with the reading or cell that each is for; none unless it came with a project key. */
function evidenceIdsOf({ observation, update }: ObservationUpdate, day: string): Map<string, object> {
  const { network } = observation
  if (network === null || !update.accepted) return new Map()
  const idOf = (station: string) => idFrom([network, day, station])
  return new Map<string, object>([
    ...update.readings.map((reading) => [idOf(reading.bssid.toString(16)), reading] as const),
    ...update.cells.map((cell) => [idOf(formatCell(cell)), cell] as const),
  ])
}

/** @param left ids that count; those of the observation are removed from it */
function keptOf(
  { observation, update }: ObservationUpdate,
  ids: ReadonlyMap<string, object>,
  left: Set<string>,
): ObservationUpdate {
  if (observation.network === null || !update.accepted) return { observation, update }
  const kept = new Set([...ids].flatMap(([id, heard]) => (left.delete(id) ? [heard] : [])))
  const readings = update.readings.filter((reading) => kept.has(reading))
  const cells = update.cells.filter((cell) => kept.has(cell))
  const isNothing = readings.length === 0 && cells.length === 0
  return {
    observation,
    update: isNothing ? { accepted: false, reason: 'nothing_fresh' } : { accepted: true, readings, cells },
  }
}
