import { cpus } from 'node:os'
import { newOrganization } from '@bearing/testing/factories'
import { startStack } from '@bearing/testing/stack'
import pg from 'pg'
import { percentiles } from './figures.js'

const DEVICES = 1_000_000
const ROUNDS = 300
const WARM_UP = 20
const PER_PAGE = 100

const say = (text: string) => process.stdout.write(`${text}\n`)

/**
 * `pnpm bench:devices`: what a page of 100 devices takes among 1,000,000 of one project, through the gateway, one request at a
 * time: the first page, and a page in the middle of the list.
 */
say(`${String(cpus().length)} × ${cpus()[0]?.model ?? '?'}, Node ${process.version}`)
const quiet = { LOG_LEVEL: 'warn' }
const unlimited = { REQUESTS_PER_CREDENTIAL: '1000000000', REQUESTS_PER_ORGANIZATION: '1000000000' }
const stack = await startStack({
  postgres: 'own',
  services: ['identity', 'management'],
  environment: { gateway: { ...quiet, ...unlimited }, identity: quiet, management: quiet },
})
try {
  const { slug: organization, project, token } = await newOrganization(stack)
  const address = { organization, project: project.slug }
  for (const [attribute, type] of [
    ['color', 'string'],
    ['level', 'number'],
  ] as const)
    await token.client.call('declareAttribute', { ...address, attribute, type })
  await store(project.id)
  const minute = (n: number) => new Date(Date.UTC(2026, 0, 1) + n * 60_000).toISOString()
  const lists = {
    'serial number': {},
    'serial number, descending': { sort: '-serial' },
    'last seen': { sort: '-last_seen' },
    'prefix of 10,000': { q: 'DEV-05' },
    'silent for a day': { silent_for: '1d' },
    'one of 20 software versions': { software_version: '1.7' },
    'software version and last seen': { software_version: '1.7', last_seen_before: minute(500_000) },
    'value of an attribute, 1,000 devices': { attribute: 'level', attribute_is: '7' },
    'value of an attribute, all devices': { attribute: 'color', attribute_is: 'red' },
    'range of an attribute': { attribute: 'level', attribute_above: '500' },
  } as const
  for (const [name, query] of Object.entries(lists)) {
    const read = (cursor?: string) =>
      token.client.call('listDevices', {
        ...{ ...address, page: 1, per_page: PER_PAGE },
        ...query,
        ...(cursor !== undefined && { cursor }),
      })
    let cursor: string | undefined
    for (let page = 0; page < WARM_UP; page++) cursor = (await read(cursor)).next ?? undefined
    const [first, later] = [await measure(() => read()), cursor && (await measure(() => read(cursor)))]
    say(`${name}: first page ${first}${later === undefined ? '' : `; page by cursor ${later}`}`)
  }
} finally {
  await stack.stop()
}

async function measure(request: () => Promise<unknown>): Promise<string> {
  const timesMs: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const began = performance.now()
    await request()
    timesMs.push(performance.now() - began)
  }
  const { p50Ms, p99Ms } = percentiles(timesMs)
  return `p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`
}

async function store(projectId: string): Promise<void> {
  const admin = new pg.Client({ connectionString: stack.adminDatabaseUrl })
  await admin.connect()
  admin.on('error', () => undefined)
  const began = performance.now()
  await admin.query(
    `INSERT INTO management.devices (id, project_id, serial, hardware_version, software_version, last_seen_at, created_at)
     SELECT gen_random_uuid(), $1, 'DEV-' || lpad(n::text, 7, '0'), 'rev' || n % 3, '1.' || n % 20,
       '2026-01-01T00:00:00Z'::timestamptz + (n::bigint * 7919 % $2) * interval '1 minute' * 0.4, now()
     FROM generate_series(0, $2::integer - 1) n`,
    [projectId, DEVICES],
  )
  for (const [name, value] of [
    ['color', `'"red"'::jsonb`],
    ['level', 'to_jsonb(right(serial, 7)::integer % 1000)'],
  ] as const)
    await admin.query(
      `INSERT INTO management.device_attributes (device_id, number, project_id, serial, value)
       SELECT id, (SELECT number FROM management.declared_attributes WHERE project_id = $1 AND name = '${name}'), project_id,
         serial, ${value}
       FROM management.devices WHERE project_id = $1`,
      [projectId],
    )
  await admin.query('VACUUM (ANALYZE) management.devices, management.device_attributes')
  await admin.end()
  say(
    `${DEVICES.toLocaleString('en')} devices stored in ${((performance.now() - began) / 1_000).toFixed(0)} s`,
  )
}
