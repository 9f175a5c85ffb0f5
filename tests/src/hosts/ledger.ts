import { eventually } from '@bearing/testing/eventually'
import type { TestOrganization } from '@bearing/testing/factories'
import type { HostStack } from '@bearing/testing/hosts/host-stack'
import { Client } from 'pg'
import type { Traffic } from './traffic.js'

/** Time limit for everything that was acknowledged to be stored, in milliseconds: NATS delivers again after half a minute. */
const SETTLED_MS = 120_000
const SHOWN = 5
const WRITES = ['chunk', 'change', 'upload', 'observation'] as const
const OBSERVATIONS_ASKED = 1_000

/** Stored writes, by kind: number of times that each id is there. */
type Stored = Readonly<Record<(typeof WRITES)[number] | 'audit', ReadonlyMap<string, number>>>

/** The outcome of the writes that were acknowledged to clients. */
export interface Comparison {
  readonly acknowledged: number
  /** Number of these that are stored. */
  readonly stored: number
  /** Number of ids that are stored more than once. */
  readonly doubled: number
  /** Writes that are lost, and writes that are there twice, in words. */
  readonly faults: readonly string[]
}

/** Compares the acknowledged writes with the stored ones, by ids, as soon as all of them are there. */
export async function compare(
  stack: HostStack,
  own: TestOrganization,
  traffic: Traffic,
): Promise<Comparison> {
  const client = new Client(stack.adminDatabaseUrl)
  await client.connect()
  const acknowledged = WRITES.flatMap((kind) => traffic.acknowledged(kind).map((id) => ({ kind, id })))
  let compared: Comparison = {
    acknowledged: acknowledged.length,
    stored: 0,
    doubled: 0,
    faults: ['nothing was compared'],
  }
  const once = async () => {
    const stored = await readStored(client, own, traffic)
    compared = {
      acknowledged: acknowledged.length,
      stored: acknowledged.filter(({ kind, id }) => stored[kind].has(id)).length,
      doubled: WRITES.reduce((sum, kind) => sum + twiceIn(stored[kind]).length, 0),
      faults: [...faultsOf(traffic, stored), ...(await gapsOf(client, own))],
    }
    if (compared.faults.length > 0) throw new Error('not all of it is stored')
  }
  try {
    await eventually(once, { withinMs: SETTLED_MS, everyMs: 1_000 }).catch(() => undefined)
    return compared
  } finally {
    await client.end()
  }
}

function faultsOf(traffic: Traffic, stored: Stored): string[] {
  const faults = WRITES.flatMap((kind) => {
    const there = stored[kind]
    return [
      ...describe(
        `${kind} lost`,
        traffic.acknowledged(kind).filter((id) => !there.has(id)),
      ),
      ...describe(`${kind} stored more than once`, twiceIn(there)),
    ]
  })
  // An attempt that was not acknowledged may have been made all the same, and then it is in the log.
  const tooOften = [...stored.audit].filter(([id, times]) => times > traffic.attempts(id))
  return [
    ...faults,
    ...describe(
      'audit event lost',
      traffic.acknowledged('change').filter((id) => !stored.audit.has(id)),
    ),
    ...describe(
      'audit event stored more than once',
      tooOften.map(([id]) => id),
    ),
  ]
}

function twiceIn(stored: ReadonlyMap<string, number>): string[] {
  return [...stored].filter(([, times]) => times > 1).map(([id]) => id)
}

function describe(what: string, ids: readonly string[]): string[] {
  return ids.length === 0 ? [] : [`${what}: ${String(ids.length)}, such as ${ids.slice(0, SHOWN).join(', ')}`]
}

async function readStored(client: Client, own: TestOrganization, traffic: Traffic): Promise<Stored> {
  const { project, token } = own
  const count = async (sql: string, id: string = project.id) => {
    const { rows } = await client.query<{ id: string; times: number }>(sql, [id])
    return new Map(rows.filter((row) => traffic.isOurs(row.id)).map((row) => [row.id, row.times]))
  }
  return {
    chunk: await count(
      `SELECT convert_from(data, 'UTF8') AS id, count(*)::int AS times FROM management.device_chunks WHERE project_id = $1 GROUP BY 1`,
    ),
    change: await count(
      'SELECT serial AS id, count(*)::int AS times FROM management.devices WHERE project_id = $1 GROUP BY 1',
    ),
    upload: await count(
      'SELECT name AS id, count(*)::int AS times FROM management.files WHERE project_id = $1 GROUP BY 1',
    ),
    audit: await count(
      `SELECT details->>'device_serial' AS id, count(*)::int AS times FROM identity.audit_log
       WHERE action = 'device.registered' AND actor_credential_id = $1 GROUP BY 1`,
      token.id,
    ),
    observation: await knownObservations(own, traffic.acknowledged('observation')),
  }
}

/** Their ids are made from those of the clients, so the service is asked. */
async function knownObservations(
  own: TestOrganization,
  ids: readonly string[],
): Promise<Map<string, number>> {
  const known = new Map<string, number>()
  for (let start = 0; start < ids.length; start += OBSERVATIONS_ASKED) {
    const some = ids.slice(start, start + OBSERVATIONS_ASKED)
    const asked = { organization: own.slug, project: own.project.slug, ids: some }
    const reply = await own.token.client.call('findObservations', asked)
    for (const [index, id] of some.entries()) if (reply.known[index] === true) known.set(id, 1)
  }
  return known
}

/** A chain of audit events has every number once. */
async function gapsOf(client: Client, { id }: TestOrganization): Promise<string[]> {
  const { rows } = await client.query<{ events: number; numbers: number; last: number }>(
    `SELECT count(*)::int AS events, count(DISTINCT sequence)::int AS numbers, max(sequence)::int AS last
     FROM identity.audit_log WHERE organization_id = $1 AND sequence IS NOT NULL`,
    [id],
  )
  const [chain] = rows
  return chain && chain.events === chain.last && chain.numbers === chain.last
    ? []
    : [`the audit chain has gaps: ${JSON.stringify(chain)}`]
}
