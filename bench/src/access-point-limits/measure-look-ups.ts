import type pg from 'pg'
import { percentiles } from '../figures.js'
import { lookUpParameters } from '../scale/look-up-statement.js'
import { PER_PLACE, placeFrom, randomPlace } from '../scale/places.js'
import { processorSeconds } from '../yardsticks/processor-time.js'
import { say, seconds } from './say.js'
import type { Server } from './server.js'

export const MEASURED_LOOK_UPS = 1_000
/** Places that warm look-ups ask for; each was asked for before. */
const WARM_PLACES = 1_000

/** Look-ups of random places by several connections, of which nothing is in memory. */
export async function measureCold(
  server: Server,
  statement: string,
  stored: number,
  connections: number,
): Promise<void> {
  const clients = await Promise.all(Array.from({ length: connections }, () => server.connect()))
  const times: number[] = []
  // Catalogs and plans are not what is measured: an access point that is not there.
  for (const client of clients) for (let read = 0; read < 6; read++) await lookUp(client, statement, [2])
  const used = await processorTime(clients)
  const began = performance.now()
  await Promise.all(
    clients.map(async (client) => {
      for (let read = 0; read < MEASURED_LOOK_UPS / connections; read++)
        times.push(await lookUp(client, statement, randomPlace(stored)))
    }),
  )
  report(`cold, ${String(connections)} at a time`, times, seconds(began), await used())
  const [client] = clients
  if (client && connections === 1) {
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN (ANALYZE, BUFFERS) ${statement}`,
      lookUpParameters(randomPlace(stored)),
    )
    process.stdout.write(`${rows.map((row) => row['QUERY PLAN']).join('\n')}\n`)
  }
  await Promise.all(clients.map((one) => one.end()))
}

/** Look-ups of places that were looked up before. */
export async function measureWarm(server: Server, statement: string, stored: number): Promise<void> {
  await server.use(async (client) => {
    const places = warmPlaces(stored)
    for (const place of places) await lookUp(client, statement, place)
    const times: number[] = []
    const used = await processorTime([client])
    const began = performance.now()
    for (let read = 0; read < MEASURED_LOOK_UPS; read++)
      times.push(await lookUp(client, statement, places[read % places.length] ?? []))
    report('warm, 1 at a time', times, seconds(began), await used())
  })
}

/** Returns the times of warm look-ups until something is over. */
export async function lookUpWhile(
  server: Server,
  statement: string,
  stored: number,
  isOver: () => boolean,
): Promise<void> {
  await server.use(async (client) => {
    const places = warmPlaces(stored)
    const times: number[] = []
    const used = await processorTime([client])
    const began = performance.now()
    for (let read = 0; !isOver(); read++)
      times.push(await lookUp(client, statement, places[read % places.length] ?? []))
    report('meanwhile, of the warm places', times, seconds(began), await used())
  })
}

function warmPlaces(stored: number): number[][] {
  const step = Math.floor(stored / PER_PLACE / WARM_PLACES) * PER_PLACE
  return Array.from({ length: WARM_PLACES }, (_, place) => placeFrom(place * step))
}

async function lookUp(client: pg.Client, text: string, bssids: readonly number[]): Promise<number> {
  const query = { name: 'look-up', text, values: lookUpParameters(bssids), rowMode: 'array' as const }
  const began = performance.now()
  const { rows } = await client.query(query)
  if (bssids.length > 1 && rows.length !== bssids.length) throw new Error('not all were found')
  return performance.now() - began
}

/** Returns how to read the processor time, in seconds, that the server has used since for some connections. */
async function processorTime(clients: readonly pg.Client[]): Promise<() => Promise<number>> {
  const answers = await Promise.all(
    clients.map((client) => client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')),
  )
  const pids = answers.flatMap(({ rows }) => rows.map(({ pid }) => pid))
  const before = await processorSeconds(pids)
  return async () => (await processorSeconds(pids)) - before
}

function report(what: string, times: readonly number[], tookSeconds: number, processor: number): void {
  const { p50Ms, p99Ms } = percentiles(times)
  const perSecond = times.length / tookSeconds
  say(
    `look-ups ${what}: p50 ${p50Ms.toFixed(2)} ms, p99 ${p99Ms.toFixed(2)} ms, ${perSecond.toFixed(0)} a second (${String(times.length)}), ${((processor / times.length) * 1e3).toFixed(2)} ms of processor each`,
  )
}
