import { randomBytes } from 'node:crypto'
import { connectTo } from '@bearing/testing/connect-to'
import { eventually } from '@bearing/testing/eventually'
import { newMember, newOrganization, type TestOrganization } from '@bearing/testing/factories'
import { startStack, testStack } from '@bearing/testing/stack'
import { forSuite } from '@bearing/testing/for-suite'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type { Browser, Page } from 'playwright-core'
import { launchChromium } from './chromium.js'
import { describeInBrowser } from './describe-in-browser.js'
import { expectNarrow, expectSound, expectSoundInBoth } from './expect-sound.js'
import { colorOf } from './in-page.js'
import { pressByKey } from './keyboard.js'
import { colorOfPixel, FileServer, MAGENTA, MAGENTA_RGB, pmtilesOf, vectorTile } from './map-files.js'

/** Time limit for imported access points to be known everywhere, in milliseconds. */
const KNOWN_MS = 120_000
/** A style of MapLibre that is one color. */
const STYLE = {
  version: 8,
  sources: {},
  layers: [{ id: 'all', type: 'background', paint: { 'background-color': `rgb(${MAGENTA_RGB.join()})` } }],
}
const ADDRESSES = ['02:00:5e:00:a1:01', '02:00:5e:00:a1:02', '02:00:5e:00:a1:03']

const isOfAccessPoints = (url: string) => url.includes('/access_points/coverage?')

describeInBrowser('Location', (visit) => {
  let withoutGl: Browser
  let organization: TestOrganization
  const scope = () => ({ organization: organization.slug, project: organization.project.slug })
  const location = () => `/app/o/${organization.slug}/p/${organization.project.slug}/location`

  beforeAll(async () => {
    ;[withoutGl, organization] = await Promise.all([launchChromium(['--disable-3d-apis']), newOrganization()])
  })

  afterAll(() => withoutGl.close())

  /** Asks where a device is; the position is stored. */
  async function locate(serial: string): Promise<void> {
    const accessPoints = ADDRESSES.map((macAddress) => ({ macAddress, signalStrength: -55 }))
    await organization.token.client.call('resolveWifiLocation', {
      ...scope(),
      accessPoints,
      device_id: serial,
    })
  }

  async function importAccessPoints(): Promise<void> {
    const { client } = organization.token
    const digest = randomBytes(32).toString('hex')
    const begun = await client.call('beginImport', {
      organization: organization.slug,
      content: 'positions',
      digest,
    })
    const one = { organization: organization.slug, import_id: begun.id }
    const rows = ADDRESSES.map((address): [string, number, number, null] => [address, 48.1, 11.5, null])
    await client.call('appendToImport', { ...one, batch: 0, rows })
    await client.call('commitImport', { ...one, batches: 1, rows: rows.length })
  }

  it('says what to run for a first position, and shows the first ones when they are there', async () => {
    const { visitor, page } = await visit(organization.admin, location())
    await visitor.sees('Map')
    await page.getByText(`positions policy set --store yes`).waitFor()
    await expectSoundInBoth(visitor, 'a project without positions')
    await organization.token.client.call('changePositionPolicy', {
      ...scope(),
      store_positions: true,
      retention_days: 30,
    })
    await importAccessPoints()
    await eventually(() => locate('UNIT-1'), { withinMs: KNOWN_MS })
    await locate('UNIT-1')
    await locate('UNIT-2')
    await page.getByRole('button', { name: 'UNIT-1' }).waitFor()
  })

  it('shows the same in map and table, by mouse, and keeps it in the URL', async () => {
    const { visitor, page } = await visit(organization.admin, location())
    await page.locator('canvas.maplibregl-canvas').waitFor()
    await page.getByRole('figure', { name: 'Map of 2 devices' }).waitFor()
    await page.getByRole('button', { name: 'UNIT-1' }).click()
    await page.getByRole('region', { name: 'Position of UNIT-1' }).getByText('holds it in 68 %').waitFor()
    await page.getByRole('button', { name: '95 %' }).click()
    await page.getByText('holds it in 95 %').waitFor()
    await page.getByRole('button', { name: 'Zoom in' }).click()
    const accessPoints = page.getByRole('checkbox', { name: /access points/ })
    expect(await accessPoints.isChecked()).toBe(true)
    await eventually(() => {
      expect(visitor.urls.filter(isOfAccessPoints)).not.toEqual([])
    })
    await expectSoundInBoth(visitor, 'a project with positions')
    await page.getByText("Your organization's access points").click()
    await page.waitForURL((url) =>
      ['device', 'circle', 'box', 'own'].every((name) => url.searchParams.has(name)),
    )
    visitor.urls.length = 0
    await page.reload()
    await page.getByText('holds it in 95 %').waitFor()
    await visitor.settled()
    expect(await accessPoints.isChecked()).toBe(false)
    expect(visitor.urls.filter(isOfAccessPoints)).toEqual([])
    await expectNarrow(visitor, 'a project with positions')
  })

  it('shows the devices of one floor, with how sure that is, where positions have floors', async () => {
    await using database = await connectTo(testStack().databaseUrls.location)
    for (const [serial, name] of Object.entries({ 'UNIT-1': '1', 'UNIT-2': '10' }))
      await database.query(
        'UPDATE latest_positions SET height = $1 WHERE project_id = $2 AND device_serial = $3',
        [
          JSON.stringify({ floor: { name, probability: 0.97 }, altitude: 512.4, altitudeAccuracy: 1.2 }),
          organization.project.id,
          serial,
        ],
      )
    const { visitor, page } = await visit(organization.admin, location())
    await page.getByRole('button', { name: 'Floor' }).click()
    expect(await page.getByRole('option').allInnerTexts()).toEqual(['Every floor', 'Floor 1', 'Floor 10'])
    await page.getByRole('option', { name: 'Floor 10' }).click()
    await page.getByRole('figure', { name: 'Map of 1 device' }).waitFor()
    await page.getByRole('button', { name: 'UNIT-2' }).click()
    const panel = page.getByRole('region', { name: 'Position of UNIT-2' })
    await panel.getByText('10, right in 97 of 100 cases').waitFor()
    await panel.getByText('512 m above the sea, ± 2 m').waitFor()
    await expectSoundInBoth(visitor, 'a floor')
  })

  it('keeps the map when the browser takes its graphics away for a while', async () => {
    const { page } = await visit(organization.admin, location())
    const idle = page.locator('.map-canvas[aria-busy="false"]')
    await idle.waitFor()
    const graphics = await page.evaluateHandle<{ loseContext(): void; restoreContext(): void }>(
      "document.querySelector('canvas.maplibregl-canvas').getContext('webgl2').getExtension('WEBGL_lose_context')",
    )
    await graphics.evaluate((context) => context.loseContext())
    await page.getByRole('searchbox', { name: 'Device' }).fill('unit-2')
    await page.getByRole('button', { name: 'UNIT-1' }).waitFor({ state: 'detached' })
    await graphics.evaluate((context) => context.restoreContext())
    await page.getByRole('figure', { name: 'Map of 1 device' }).waitFor()
    await idle.waitFor()
  })

  it('is used by keyboard alone', async () => {
    const { page } = await visit(organization.admin, location())
    await page.getByRole('searchbox', { name: 'Device' }).focus()
    await page.keyboard.type('unit-2')
    await page.getByRole('button', { name: 'UNIT-1' }).waitFor({ state: 'detached' })
    await page.waitForURL((url) => url.searchParams.get('q') === 'unit-2')
    const row = page.getByRole('button', { name: 'UNIT-2' })
    await pressByKey(page, row)
    await page.getByRole('region', { name: 'Position of UNIT-2' }).waitFor()
    await page.getByRole('slider').focus()
    await page.keyboard.press('Home')
    await page.waitForURL((url) => url.searchParams.has('until'))
    await page.keyboard.press('End')
    await page.waitForURL((url) => !url.searchParams.has('until'))
  })

  it('shows its table, and says why there is no map, where there is no WebGL', async () => {
    const { visitor, page } = await visit(organization.admin, location(), { browser: withoutGl })
    await page.getByText('this browser cannot draw with WebGL').waitFor()
    await page.getByRole('button', { name: 'UNIT-1' }).click()
    await page.getByRole('region', { name: 'Position of UNIT-1' }).waitFor()
    await expectSound(visitor, 'positions without a map')
    expect(visitor.urls.filter((url) => url.includes('maplibre'))).toEqual([])
    const devices = [{ device_serial: 'UNIT-1' }]
    await organization.token.client.call('importDevices', { ...scope(), devices })
    await page.goto(location().replace(/location$/, 'devices/UNIT-1'))
    await page.getByRole('figure', { name: 'Last position, and the 1 before it' }).waitFor()
    await expectSound(visitor, 'a device without a map')
  })

  it('moves to an area that was asked for before the map had come', async () => {
    const { visitor, page } = await visit()
    // As on a busy machine, where the first frame comes after the page has asked the map to move.
    await page.addInitScript(
      'const { requestAnimationFrame: frame } = window; window.requestAnimationFrame = (draw) => setTimeout(() => frame(draw), 200)',
    )
    let release: () => void = () => undefined
    const isReleased = new Promise<void>((resolve) => (release = resolve))
    await page.route('**/assets/gl-map-*.js', async (route) => {
      await isReleased
      await route.continue()
    })
    await visitor.signIn(organization.admin, `${location()}/coverage`)
    await page
      .getByRole('button', { name: /^Show 48\.\d+, 11\.\d+$/ })
      .first()
      .click()
    release()
    await page.waitForURL(/bbox=/)
  })

  it("reads a grid of the organization's access points for members, and not the access points", async () => {
    const { project } = organization
    const member = await newMember(organization, 'member', [{ project, role: 'member' }])
    const { visitor, page } = await visit(member, location())
    await page.locator('.map-canvas[aria-busy="false"]').waitFor()
    await visitor.settled()
    expect(visitor.urls.filter((url) => url.includes('coverage'))).not.toEqual([])
    expect(visitor.urls.filter((url) => /access_points(\?|$)/.test(url))).toEqual([])
  })
})

describeInBrowser('the map of the installation', (visit) => {
  const files = forSuite(() =>
    FileServer.start({
      '/vector.pmtiles': pmtilesOf('mvt', vectorTile('earth')),
      '/raster.pmtiles': pmtilesOf('png', MAGENTA),
      '/style.json': Buffer.from(JSON.stringify(STYLE)),
    }),
  )
  const stack = forSuite(() =>
    startStack({
      gateways: 1,
      environment: { gateway: { MAP_URL: `${files.origin}/vector.pmtiles`, MAP_ATTRIBUTION: 'Tiles: Test' } },
    }),
  )

  it('draws PMTiles and styles from the origin of MAP_URL, under the security policy', async () => {
    const organization = await newOrganization(stack)
    const at = `/app/o/${organization.slug}/p/${organization.project.slug}/location`
    const { visitor, page } = await visit(organization.admin, at, { gateway: stack.gatewayUrls[0] })
    await page.getByText('Tiles: Test').waitFor()
    const land = await page.evaluate(colorOf, 'tone-land')
    await eventually(async () => {
      expect(await colorOfAtlantic(page)).toEqual(land)
    })
    // Header and directory, then tiles.
    expect(new Set(files.requested).size).toBe(2)
    expect(files.requested.filter((line) => line.includes('whole'))).toEqual([])

    const reopen = async (path: string) => {
      await page.route('**/app/config.json', async (route) => {
        const reply = await route.fetch()
        const config = (await reply.json()) as object
        await route.fulfill({ json: { ...config, map_url: files.origin + path } })
      })
      await page.reload()
    }
    for (const path of ['/raster.pmtiles', '/style.json']) {
      await reopen(path)
      await eventually(async () => {
        expect(await colorOfAtlantic(page)).toEqual(MAGENTA_RGB)
      })
    }
    expect(visitor.complaints).toEqual([])
    await reopen('/none.pmtiles')
    await page.getByText('The map of this installation cannot be loaded').waitFor()
  })
})

/** Returns the color where the map of the world has the Atlantic. */
async function colorOfAtlantic(page: Page): Promise<number[]> {
  const box = await page.locator('.map-view').boundingBox()
  if (!box) return []
  const clip = { x: box.x + box.width / 2 - 110, y: box.y + box.height / 2, width: 1, height: 1 }
  return colorOfPixel(await page.screenshot({ clip }))
}
