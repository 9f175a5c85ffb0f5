import { cpus, loadavg, totalmem } from 'node:os'
import { newOrganization, type TestOrganization } from '@bearing/testing/factories'
import { startStack } from '@bearing/testing/stack'
import pg from 'pg'
import type { CDPSession, Page } from 'playwright-core'
import { launchChromium } from './chromium.js'
import { elementsOf, quietSince, requestsOf, watchFrames } from './in-page.js'
import { Visitor } from './visitor.js'

/**
 * `pnpm bench:dashboard [--json]`: how long pages take until their data is on screen, in a real Chromium whose CPU is slowed down
 * to a quarter. Prints the median of 5, and the machine, as a table or as JSON. Run it on a machine that does nothing else.
 */
const ROUNDS = 5
const THROTTLE = 4
const DEVICES = 10_000
const POSITIONS = 5_000
const LIMITS = { pageMs: 2_000, requests: 30, listMs: 1_000, elements: 1_000, mapMs: 3_000 } as const

interface Measured {
  readonly what: string
  readonly unit: 'ms' | 'elements' | 'requests'
  readonly limit: number
  readonly values: number[]
}

const say = (text: string) => process.stdout.write(`${text}\n`)
const isJson = process.argv.includes('--json')
const results: Measured[] = []

function record(what: string, unit: Measured['unit'], limit: number, value: number): void {
  let measured = results.find((other) => other.what === what)
  if (!measured) results.push((measured = { what, unit, limit, values: [] }))
  measured.values.push(value)
}

const quiet = { LOG_LEVEL: 'warn' }
const unlimited = { REQUESTS_PER_ORGANIZATION: '0' }
const stack = await startStack({
  postgres: 'own',
  gateways: 1,
  environment: { gateway: { ...quiet, ...unlimited }, identity: quiet, management: quiet, location: quiet },
  constants: { gateway: { REQUESTS_PER_CREDENTIAL: 0 } },
})
const browser = await launchChromium()
const loads: number[] = []
try {
  const organization = await newOrganization(stack)
  await seed(organization)
  for (let round = 1; round <= ROUNDS; round++) {
    loads.push(loadavg()[0] ?? 0)
    await measure(organization)
    process.stderr.write(
      `round ${String(round)} of ${String(ROUNDS)}, load ${(loads.at(-1) ?? 0).toFixed(1)}\n`,
    )
  }
} finally {
  await browser.close()
  await stack.stop()
}
report()

/** Fills the project: devices, and where most of them were last. */
async function seed({ id, slug, project, admin }: TestOrganization): Promise<void> {
  await admin.client.call('changePositionPolicy', {
    ...{ organization: slug, project: project.slug, store_positions: true, retention_days: 30 },
  })
  const database = new pg.Client({ connectionString: stack.adminDatabaseUrl })
  await database.connect()
  await database.query(
    `INSERT INTO management.devices (id, project_id, serial, hardware_version, software_type, software_version, last_seen_at, created_at)
     SELECT gen_random_uuid(), $1, 'DEV-' || lpad(n::text, 5, '0'), 'rev' || n % 3, 'main', '1.' || n % 20,
       now() - n * interval '7 seconds', now()
     FROM generate_series(1, $2::integer) n`,
    [project.id, DEVICES],
  )
  await database.query(
    `INSERT INTO location.device_positions
       (organization_id, project_id, device_serial, at, id, lat, lon, uncertainty, confidence, fulfilled_with)
     SELECT $1, $2, 'DEV-' || lpad(n::text, 5, '0'), now() - n * interval '7 seconds', gen_random_uuid(),
       47 + (n * 7919 % 5000) * 0.001, 8 + (n * 104729 % 5000) * 0.001, 20 + n % 200, 68,
       (ARRAY['WIFI', 'MCELL', 'SCELL'])[1 + n % 3]
     FROM generate_series(1, $3::integer) n`,
    [id, project.id, POSITIONS],
  )
  await database.query('VACUUM (ANALYZE) management.devices, location.device_positions')
  await database.end()
}

/** Measures every page once, as a person at a slow computer sees it. */
async function measure({ admin, slug, project }: TestOrganization): Promise<void> {
  const visitor = await Visitor.arrive(browser, {}, stack.gatewayUrls[0])
  const { page, context } = visitor
  const cdp = await context.newCDPSession(page)
  await page.addInitScript(watchFrames)
  const cold = (path: string) => coldVisit(page, cdp, path)
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: THROTTLE })
  const signIn = await cold('/sign-in')
  await page.getByLabel('Email address').waitFor()
  record('sign-in, cold', 'ms', LIMITS.pageMs, signIn())
  await visitor.signIn(admin, '/app/account')
  await visitor.sees('Account')
  const organization = `/app/o/${slug}`
  const inProject = `${organization}/p/${project.slug}`
  const pages = {
    home: [organization, page.getByRole('slider', { name: 'Devices seen per hour' })],
    devices: [`${inProject}/devices`, page.getByRole('link', { name: 'DEV-00001' })],
    device: [`${inProject}/devices/DEV-00001`, page.getByRole('heading', { name: 'Details' })],
    files: [`${inProject}/files`, page.getByText('No files yet')],
    webhooks: [`${inProject}/webhooks`, page.getByText('No webhooks yet')],
    general: [`${inProject}/settings/general`, page.getByRole('textbox', { name: 'Project slug' })],
    'project key': [`${inProject}/settings/project-key`, page.getByText('Current key')],
    tokens: [`${organization}/admin/tokens`, page.getByRole('rowheader')],
    members: [`${organization}/admin/members`, page.getByRole('rowheader')],
    'audit log': [`${organization}/admin/audit-log`, page.getByRole('row').nth(1)],
    usage: [`${organization}/admin/usage`, page.getByRole('heading', { name: 'By credential' })],
    account: ['/app/account', page.getByText('this browser')],
    coverage: [`${inProject}/location/coverage`, page.getByText('Imported access points')],
    'location, table': [`${inProject}/location`, page.getByRole('button', { name: 'DEV-00001' })],
  } as const
  for (const [name, [path, shown]] of Object.entries(pages)) {
    const sinceStart = await cold(path)
    await shown.first().waitFor()
    record(`${name}, cold`, 'ms', LIMITS.pageMs, sinceStart())
    await page.waitForLoadState('networkidle')
    record(`${name}, requests`, 'requests', LIMITS.requests, await page.evaluate(requestsOf))
  }
  await measureDevices(page, cdp, inProject)
  await measureMap(page, cdp, inProject)
  await visitor.leave()
}

/** Starts a visit with an empty cache. @returns how long ago it started, in milliseconds */
async function coldVisit(page: Page, cdp: CDPSession, path: string): Promise<() => number> {
  // Work that the page before still does is not part of the visit.
  await page.goto('about:blank')
  await cdp.send('Network.clearBrowserCache')
  const started = performance.now()
  await page.goto(path, { waitUntil: 'commit' })
  return () => performance.now() - started
}

/** Chooses 1,000 rows of the list of devices: reads them and shows them. Then returns to them from the page of a device. */
async function measureDevices(page: Page, cdp: CDPSession, inProject: string): Promise<void> {
  const isShown = async () => {
    await page.getByText(`1 to 1,000 of ${DEVICES.toLocaleString('en')} devices`).waitFor()
    await page.getByRole('link', { name: 'DEV-00001' }).waitFor()
  }
  for (const [rate, name] of [
    [1, ''],
    [THROTTLE, ', slowed down'],
  ] as const) {
    await cdp.send('Emulation.setCPUThrottlingRate', { rate })
    await page.goto(`${inProject}/devices`)
    await page.getByRole('button', { name: /Rows on a page/ }).click()
    const option = page.getByRole('option', { name: '1,000 rows' })
    await option.waitFor()
    const chosen = performance.now()
    await option.click()
    await isShown()
    record(`1,000 of 10,000 devices, read and shown${name}`, 'ms', LIMITS.listMs, performance.now() - chosen)
    await page.getByRole('link', { name: 'DEV-00002' }).click()
    await page.getByRole('heading', { name: 'Details' }).waitFor()
    const left = performance.now()
    await page.goBack()
    await isShown()
    record(`1,000 of 10,000 devices, Back from one${name}`, 'ms', LIMITS.listMs, performance.now() - left)
  }
  record('elements of this page', 'elements', LIMITS.elements, await page.evaluate(elementsOf))
}

/** Opens the map, and waits until it draws nothing more. */
async function measureMap(page: Page, cdp: CDPSession, inProject: string): Promise<void> {
  for (const [rate, name] of [
    [1, ''],
    [THROTTLE, ', slowed down'],
  ] as const) {
    await cdp.send('Emulation.setCPUThrottlingRate', { rate })
    await coldVisit(page, cdp, `${inProject}/location`)
    await page.getByRole('figure', { name: `Map of ${POSITIONS.toLocaleString('en')} devices` }).waitFor()
    await page.locator('canvas.maplibregl-canvas').waitFor()
    await page.locator('.map-scale').waitFor()
    record(`5,000 positions, cold, until idle${name}`, 'ms', LIMITS.mapMs, await page.evaluate(quietSince))
  }
}

function report(): void {
  const { model = '?' } = cpus()[0] ?? {}
  const machine = `${String(cpus().length)} × ${model}, ${(totalmem() / 2 ** 30).toFixed(0)} GiB, Node ${process.version}, Chromium ${browser.version()}`
  const load = `load ${Math.min(...loads).toFixed(1)} to ${Math.max(...loads).toFixed(1)}`
  const rows = results.map((measured) => ({ ...measured, median: medianOf(measured.values) }))
  if (isJson) {
    say(JSON.stringify({ machine, loads, throttle: THROTTLE, rows }, undefined, 2))
    return
  }
  say(`${machine}, ${load}; CPU slowed down ${String(THROTTLE)} times unless the list names both\n`)
  for (const { what, unit, limit, values, median } of rows)
    say(
      `${median <= limit ? 'ok  ' : 'OVER'} ${what.padEnd(56)} ${String(Math.round(median)).padStart(6)} ${unit.padEnd(8)} ≤ ${String(limit)}   (${values.map((value) => String(Math.round(value))).join(' ')})`,
    )
}

function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
