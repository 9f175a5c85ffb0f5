import pg from 'pg'
import { percentiles } from '../figures.js'
import { lookUpParameters, lookUpStatement } from './look-up-statement.js'
import { randomPlace } from './places.js'

const WARM_UP = 500
const MEASURED = 3_000

/** The read of a look-up. */
export interface Read {
  readonly p50Ms: number
  /** How often it was planned. */
  readonly plans: string
  /** What `EXPLAIN` says of it. */
  readonly explained: string
}

/**
 * Measures the statement of a look-up without the service.
 *
 * @param lookUp has the service ask it
 */
export async function readAlone(url: string, stored: number, lookUp: () => Promise<unknown>): Promise<Read> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    await client.query('SET search_path = location')
    const text = await lookUpStatement(client, lookUp)
    const values = () => lookUpParameters(randomPlace(stored))
    const times: number[] = []
    for (let read = 0; read < WARM_UP + MEASURED; read++) {
      const query = { name: 'read', text, values: values(), rowMode: 'array' as const }
      const began = performance.now()
      await client.query(query)
      if (read >= WARM_UP) times.push(performance.now() - began)
    }
    const { rows: plans } = await client.query<{ generic: string; custom: string }>(
      'SELECT generic_plans AS generic, custom_plans AS custom FROM pg_prepared_statements',
    )
    const explained = await client.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN (ANALYZE, BUFFERS) ${text}`,
      values(),
    )
    return {
      p50Ms: percentiles(times).p50Ms,
      plans: plans.map(({ generic, custom }) => `${generic} generic plans, ${custom} of their own`).join(),
      explained: explained.rows.map((row) => row['QUERY PLAN']).join('\n'),
    }
  } finally {
    await client.end()
  }
}
