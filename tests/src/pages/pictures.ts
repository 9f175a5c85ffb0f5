import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eventually } from '@bearing/testing/eventually'
import { newOrganization, type TestOrganization } from '@bearing/testing/factories'
import { startStack } from '@bearing/testing/stack'
import type { Page } from 'playwright-core'
import { launchChromium } from './chromium.js'
import { heightOf, webpOf } from './in-page.js'
import { SAMPLE, fillWithSamples } from './sample-data.js'
import { Visitor } from './visitor.js'
import { ROOT } from '../tools/root.js'

// `pnpm pictures [folder] [--docs]` starts a Bearing with sample data and writes pictures of the main pages: light and dark, wide and
// narrow. With `--docs` it also writes those of the documentation.

const FOLDER = join(ROOT, '.bearing', 'pictures')
const DOCS = join(ROOT, 'docs', 'pictures')
const WIDTHS = [1280, 390]
const HEIGHT = 900
/** Pixels that the borders of a map take at most, and that its canvas is rounded by. */
const BORDERS = 3
/** Time limit for a map, in milliseconds. */
const PATIENCE_MS = 120_000

/** The upper part of a page: pictures of the documentation have at most 60 KB. */
const DOCUMENTED_PART = { x: 0, y: 0, width: 1280, height: 720 }

/** The ten main pages, which the documentation shows: wide, in one scheme each. */
const DOCUMENTED: Readonly<Record<string, 'light' | 'dark'>> = {
  home: 'light',
  location: 'light',
  devices: 'dark',
  device: 'light',
  webhook: 'light',
  tokens: 'light',
  'project-key': 'light',
  'single-sign-on': 'light',
  members: 'dark',
  'audit-log': 'light',
  palette: 'dark',
}

const { docs, folder } = {
  docs: process.argv.includes('--docs'),
  folder: process.argv.slice(2).find((argument) => !argument.startsWith('--')) ?? FOLDER,
}
await mkdir(folder, { recursive: true })
await mkdir(DOCS, { recursive: true })
const stack = await startStack({ postgres: 'own', gateways: 1 })
const browser = await launchChromium()
try {
  const organization = await newOrganization(stack)
  const { webhook } = await fillWithSamples(organization, stack)
  for (const scheme of ['light', 'dark'] as const)
    for (const width of WIDTHS) await takePictures(organization, webhook, scheme, width)
} finally {
  await browser.close()
  await stack.stop()
}
process.stdout.write(`${folder}\n`)

async function takePictures(
  { admin }: TestOrganization,
  webhook: string,
  scheme: 'light' | 'dark',
  width: number,
) {
  const visitor = await Visitor.arrive(browser, { scheme, width, height: HEIGHT }, stack.gatewayUrls[0])
  const { page } = visitor
  const take = (name: string) => takePicture(page, name, scheme, width)
  await page.goto('/sign-in')
  await take('sign-in')
  await page.goto('/sign-in?problem=sso_access_denied&request=0199c0de-7c1f-7d5e-9f0a-2f6b8a3d4e51')
  await take('sign-in-problem')
  const organization = `/app/o/${SAMPLE.organization}`
  const project = `${organization}/p/${SAMPLE.project}`
  await visitor.signIn(admin, `${organization}/admin/tokens`)
  await visitor.sees('Organization Auth Tokens')
  await take('tokens')
  await page.getByRole('button', { name: 'Create Token' }).click()
  await take('token-form')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  await page.getByRole('listbox', { name: 'Results' }).waitFor()
  await take('palette')
  await page.keyboard.press('Escape')
  const paths = {
    home: organization,
    location: `${project}/location`,
    try: `${project}/location/try`,
    coverage: `${project}/location/coverage`,
    imports: `${project}/location/imports`,
    devices: `${project}/devices`,
    device: `${project}/devices/${SAMPLE.device}`,
    files: `${project}/files`,
    symbols: `${project}/symbols`,
    webhooks: `${project}/webhooks`,
    webhook: `${project}/webhooks/${webhook}`,
    general: `${project}/settings/general`,
    'project-key': `${project}/settings/project-key`,
    data: `${project}/settings/data`,
    positions: `${project}/settings/positions`,
    members: `${organization}/admin/members`,
    'single-sign-on': `${organization}/admin/single-sign-on`,
    rules: `${organization}/admin/rules`,
    'audit-log': `${organization}/admin/audit-log`,
    usage: `${organization}/admin/usage`,
    account: '/app/account',
  }
  for (const [name, path] of Object.entries(paths)) {
    await page.goto(path)
    await page.locator('h1').waitFor()
    if (name === 'try') {
      await page.getByLabel('What the device received').fill(SAMPLE.scan)
      await page.getByRole('button', { name: 'Locate', exact: true }).click()
      await page.getByRole('figure').waitFor()
    }
    await take(name)
  }
  await visitor.leave()
}

/** Writes what a page shows, all of it, and what the documentation shows of it. */
async function takePicture(page: Page, name: string, scheme: 'light' | 'dark', width: number): Promise<void> {
  await settled(page)
  if (docs && DOCUMENTED[name] === scheme && width === WIDTHS[0])
    await writeFile(join(DOCS, `${name}.webp`), await webp(page))
  // Not `fullPage`: it makes the page higher for the picture alone, and a map has no time to draw itself again.
  // Twice: a map grows with the window.
  for (let pass = 0; pass < 2; pass++) {
    await page.setViewportSize({ width, height: Math.max(HEIGHT, await page.evaluate(heightOf)) })
    await settled(page)
  }
  await page.screenshot({ path: join(folder, `${name}-${scheme}-${String(width)}.png`) })
  await page.setViewportSize({ width, height: HEIGHT })
}

/** Waits until a page has all its data, and its map fills its present size. */
async function settled(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle')
  const map = page.locator('.map-view')
  if ((await map.count()) === 0) return
  await eventually(
    async () => {
      const [view, canvas] = await Promise.all([map.boundingBox(), map.locator('canvas').boundingBox()])
      const isBusy = await map.locator('.map-canvas').getAttribute('aria-busy')
      if (isBusy !== 'false' || Math.abs((view?.height ?? 0) - (canvas?.height ?? 0)) > BORDERS)
        throw new Error('the map is not ready')
    },
    { withinMs: PATIENCE_MS },
  )
}

/** Returns what a page shows as WebP, which is a third of the size of PNG. A blank page converts it: it has no security policy. */
async function webp(page: Page): Promise<Buffer> {
  const picture = (await page.screenshot({ clip: DOCUMENTED_PART })).toString('base64')
  const blank = await page.context().newPage()
  const converted = await blank.evaluate(webpOf, picture)
  await blank.close()
  return Buffer.from(converted, 'base64')
}
