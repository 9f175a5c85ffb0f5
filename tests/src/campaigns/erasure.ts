import { setTimeout as sleep } from 'node:timers/promises'
import { connectNats } from '@bearing/nats/connection'
import { eventually } from '@bearing/testing/eventually'
import { newMember, newOrganization, type TestOrganization } from '@bearing/testing/factories'
import { startStack, type Stack } from '@bearing/testing/stack'
import { Client } from 'pg'
import { KEPT, fillEveryTable, findRows, fingerprint, touched } from '../tools/every-table.js'
import { send } from '../tools/http.js'
import { commit, prepare, put } from '../tools/uploading.js'
import { deleteFirstDevice } from './delete-first-device.js'
import { findMessages, recordMessages, sendAgain } from './late-messages.js'

/** Duration of the deletion of each row, in seconds, so that processes can be killed in it. */
const SLOW_S = 0.15
const SETTLED_MS = 120_000

/** The outcome of a campaign. */
export interface ErasureOutcome {
  readonly kills: number
  /** Faults that were found, in words. */
  readonly faults: readonly string[]
}

/** Options of {@link eraseUnderFire}. */
export interface ErasureOptions {
  /** Erases an organization, or one of its projects. */
  readonly what: 'organization' | 'project'
  /** Chooses whether to kill something while rows of a table are deleted. */
  readonly isKilledAt: (table: string) => boolean
  readonly report: (line: string) => void
}

/**
 * Fills every table and stream for two organizations, erases one, kills processes while the rows of each table are deleted, and
 * then sends what was queued once more. Nothing of the erased one may be left, and nothing of the other one may have changed.
 */
export async function eraseUnderFire({ what, isKilledAt, report }: ErasureOptions): Promise<ErasureOutcome> {
  await using stack = await startStack({
    postgres: 'own',
    gateways: 1,
    constants: {
      gateway: { REQUESTS_PER_CREDENTIAL: 0 },
      management: { ERASURE_SETTLE_S: 1, ERASURE_LEASE_S: 2 },
    },
  })
  const [erased, other] = [await newOrganization(stack), await newOrganization(stack)]
  const faults = await deleteFirstDevice(stack, erased)
  const client = await open(stack)
  const connection = await connectNats({ url: stack.natsUrl, name: 'test' })
  const recorded = recordMessages(connection)
  const made = await fill(stack, client, erased)
  const madeByOther = await fill(stack, client, other)
  const objects = await objectsOf(client, erased)
  const ids = what === 'organization' ? [erased.id, erased.project.id, ...made] : [erased.project.id]
  const idsOfOther = [other.id, other.project.id, ...madeByOther]
  await settleQueues(client)
  const before = await fingerprint(client, idsOfOther)
  report(`${String((await findRows(client, ids)).size)} tables have rows of what is erased`)
  const late = recorded.filter(({ subject }) => subject.includes(erased.project.id))

  await slowDown(client)
  await startErasure(erased, what)
  const kills = await killWhileErasing(stack, erased, { isKilledAt, report })
  const after = await open(stack)
  try {
    await untilErased(after, erased).catch((error: unknown) => {
      const errors = stack
        .output()
        .split('\n')
        .filter((line) => line.includes('"level":50'))
      throw new Error(`${String(error)}\n${errors.slice(-3).join('\n')}`)
    })
    // Erased data must not come back with a server that has not written everything down.
    await stack.part('nats').kill()
    await stack.part('nats').start()
    await sendAgain(stack, late)
    report(`${String(late.length)} messages were sent once more`)
    await settleQueues(after)
    for (const [table, count] of await findRows(after, ids))
      if (!(table in KEPT)) faults.push(`${String(count)} rows are left in ${table}`)
    for (const table of touched(before, await fingerprint(after, idsOfOther)))
      faults.push(`rows of the other organization changed in ${table}`)
    faults.push(...(await findMessages(stack, ids, objects)))
  } finally {
    await client.end().catch(() => undefined)
    await after.end()
    await connection.drain()
  }
  return { kills, faults }
}

async function open(stack: Stack): Promise<Client> {
  const client = new Client(stack.adminDatabaseUrl)
  // It ends when Postgres is killed.
  client.on('error', () => undefined)
  await client.connect()
  return client
}

/** Through the interfaces where that matters, for objects and messages; directly into every other table. */
async function fill(stack: Stack, client: Client, organization: TestOrganization): Promise<string[]> {
  const url = stack.gatewayUrls[0] ?? ''
  const project = `/api/v0/organizations/${organization.slug}/projects/${organization.project.slug}`
  const target = { gateway: url, project, credential: organization.token.credential }
  const prepared = await prepare(target)
  await put(prepared, Buffer.from(`coredump of ${organization.slug}`))
  await commit(target, `${project}/coredumps`, { file: { token: prepared.token } })
  const sent = await send(url, 'POST', '/api/v0/chunks/DEVICE-1', {
    headers: { 'service-project-key': organization.project.key, 'content-type': 'application/octet-stream' },
    body: `chunk of ${organization.slug}`,
  })
  if (sent.status !== 202) throw new Error(`the chunk was answered ${String(sent.status)}`)
  await organization.token.client.call('submitObservations', {
    organization: organization.slug,
    project: organization.project.slug,
    items: [
      {
        position: { latitude: 48, longitude: 11 },
        wifiAccessPoints: [
          { macAddress: '02:00:00:00:00:04', signalStrength: -50 },
          { macAddress: '02:00:00:00:02:00', signalStrength: -60 },
        ],
      },
    ],
  })
  const { id: userId } = await newMember(organization, 'member', [], stack)
  await client.query('DELETE FROM identity.memberships WHERE user_id = $1', [userId])
  await eventually(async () => {
    const { rowCount } = await client.query(
      'SELECT 1 FROM management.device_chunks c JOIN management.devices d ON d.id = c.device_id WHERE d.project_id = $1',
      [organization.project.id],
    )
    if (!rowCount) throw new Error('the chunk is not stored yet')
  })
  const ids = { organizationId: organization.id, projectId: organization.project.id, userId }
  return fillEveryTable(client, ids)
}

async function objectsOf(client: Client, { project }: TestOrganization): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    'SELECT id FROM management.stored_objects WHERE project_id = $1',
    [project.id],
  )
  return rows.map(({ id }) => id)
}

async function slowDown(client: Client): Promise<void> {
  await client.query(`
    CREATE FUNCTION public.slow_down() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN PERFORM pg_sleep(${String(SLOW_S)}); RETURN OLD; END $$;
    GRANT EXECUTE ON FUNCTION public.slow_down() TO PUBLIC`)
  const { rows } = await client.query<{ name: string }>(`
    SELECT n.nspname || '.' || c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname IN ('identity', 'management', 'location') AND c.relkind = 'r'
      AND c.relname !~ 'audit|outbox|_prisma|deletions|sign_in'`)
  for (const { name } of rows)
    await client.query(
      `CREATE TRIGGER slow BEFORE DELETE ON ${name} FOR EACH ROW EXECUTE FUNCTION public.slow_down()`,
    )
}

async function startErasure({ admin, slug, project }: TestOrganization, what: ErasureOptions['what']) {
  const organization = slug
  if (what === 'organization') {
    await admin.client.call('deleteOrganization', { organization })
    await admin.client.call('eraseOrganization', { organization, slug })
  } else {
    await admin.client.call('deleteProject', { organization, project_slug: project.slug })
    await admin.client.call('eraseProject', { organization, project_slug: project.slug, slug: project.slug })
  }
}

/** Kills what works on a table, while it does: by turns the service, management, Postgres and NATS. */
async function killWhileErasing(
  stack: Stack,
  erased: TestOrganization,
  { isKilledAt, report }: Pick<ErasureOptions, 'isKilledAt' | 'report'>,
): Promise<number> {
  const seen = new Set<string>()
  let client = await open(stack)
  let kills = 0
  const deadline = performance.now() + SETTLED_MS
  while (performance.now() < deadline) {
    if (await isErased(client, erased)) break
    const table = await tableAtWork(client)
    if (table === undefined || seen.has(table)) {
      await sleep(5)
      continue
    }
    seen.add(table)
    if (!isKilledAt(table)) continue
    const service = table.split('.')[0] ?? 'management'
    const name = [service, 'management', 'postgres', 'nats'][kills % 4] ?? service
    await stack.part(name).kill()
    await stack.part(name).start()
    report(`${name} was killed while rows of ${table} were deleted`)
    kills++
    if (name === 'postgres') {
      await client.end().catch(() => undefined)
      client = await open(stack)
    }
  }
  await client.end().catch(() => undefined)
  return kills
}

/** Returns the table whose rows a service is deleting. */
async function tableAtWork(client: Client): Promise<string | undefined> {
  const { rows } = await client.query<{ usename: string; query: string }>(
    `SELECT usename, query FROM pg_stat_activity WHERE state = 'active' AND query ~ 'DELETE FROM' AND usename ~ 'identity|management|location'`,
  )
  for (const { usename, query } of rows) {
    const [, table] = /DELETE FROM (?:"?\w+"?\.)?"?(\w+)"?/.exec(query) ?? []
    const service = /identity|management|location/.exec(usename)?.[0]
    if (table !== undefined && service !== undefined && !/outbox|audit|sign_in|mails$/.test(table))
      return `${service}.${table}`
  }
  return undefined
}

async function isErased(client: Client, { id }: TestOrganization): Promise<boolean> {
  const text = `SELECT 1 FROM management.deletions WHERE organization_id = $1 AND state = 'erased'`
  return ((await client.query(text, [id])).rowCount ?? 0) > 0
}

async function untilErased(client: Client, erased: TestOrganization): Promise<void> {
  await eventually(
    async () => {
      if (await isErased(client, erased)) return
      const { rows } = await client.query('SELECT state, parts FROM management.deletions')
      throw new Error(`it is not erased: ${JSON.stringify(rows)}`)
    },
    { withinMs: SETTLED_MS, everyMs: 100 },
  )
}

/** Waits until events are published and audit events are handed over. */
async function settleQueues(client: Client): Promise<void> {
  await eventually(
    async () => {
      for (const table of [
        'identity.outbox',
        'management.outbox',
        'location.outbox',
        'management.audit_handover',
        'location.audit_handover',
      ]) {
        const { rowCount } = await client.query(`SELECT 1 FROM ${table}`)
        if (rowCount) throw new Error(`${table} is not empty`)
      }
    },
    { withinMs: 60_000 },
  )
}
