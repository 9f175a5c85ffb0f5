import type { TestOrganization } from '@bearing/testing/factories'
import type { Stack } from '@bearing/testing/stack'
import { Client } from 'pg'
import { processorSeconds } from './yardsticks/processor-time.js'

/** Lines of one round: what the bar is given for a second. */
const ITEMS = 20_000

const PROCESSES = { gateway: 'gateway-1', management: 'management', NATS: 'nats', Postgres: 'postgres' }

export interface Changefeed {
  /** Items a second of each round. */
  readonly perSecond: readonly number[]
  /** Processor time of each part for 1,000 items, in milliseconds. */
  readonly parts: Readonly<Record<string, number>>
}

/**
 * Reads what all devices of a project have sent, from the beginning, as a program does.
 */
export async function measureChangefeed(
  stack: Stack,
  { slug, project, token }: TestOrganization,
  rounds: number,
): Promise<Changefeed> {
  const url = `${stack.gatewayUrls[0] ?? ''}/api/v0/organizations/${slug}/projects/${project.slug}/data`
  const read = async () => {
    const response = await fetch(url, { headers: { authorization: `Bearer ${token.token}` } })
    let items = 0
    const startedMs = performance.now()
    for await (const bytes of response.body ?? []) {
      for (const byte of bytes as Uint8Array) if (byte === 10) items++
      if (items >= ITEMS) break
    }
    if (items < ITEMS) throw new Error(`the project has only ${String(items)} items`)
    return items / ((performance.now() - startedMs) / 1_000)
  }
  await analyze(stack)
  await read()
  const before = await times(stack)
  const perSecond: number[] = []
  for (let round = 0; round < rounds; round++) perSecond.push(await read())
  const after = await times(stack)
  const of = (part: string) => (((after[part] ?? 0) - (before[part] ?? 0)) * 1e6) / (ITEMS * rounds)
  return { perSecond, parts: Object.fromEntries(Object.keys(PROCESSES).map((part) => [part, of(part)])) }
}

/** As autovacuum does within a minute or two: without statistics Postgres sorts all that is left for each part of a reply. */
async function analyze(stack: Stack): Promise<void> {
  const client = new Client(stack.adminDatabaseUrl)
  await client.connect()
  await client.query('ANALYZE management.device_chunks')
  await client.end()
}

async function times(stack: Stack): Promise<Record<string, number>> {
  const all = Object.entries(PROCESSES).map(async ([name, part]) => [
    name,
    await processorSeconds([stack.part(part).pid]),
  ])
  return Object.fromEntries(await Promise.all(all)) as Record<string, number>
}
