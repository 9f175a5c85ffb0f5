import { gzipSync } from 'node:zlib'
import { newMember, newOrganization, type TestOrganization } from '@bearing/testing/factories'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type { Browser } from 'playwright-core'
import { launchChromium } from './chromium.js'
import { describeInBrowser } from './describe-in-browser.js'
import { expectNarrow, expectSound } from './expect-sound.js'

const mac = (number: number) => `02:00:00:00:00:${number.toString(16).padStart(2, '0')}`
/** A survey as WiGLE exports it: each access point at two places, and rows that cannot be imported. */
const WIGLE = [
  'WigleWifi-1.4,appRelease=2.73,model=Test,release=13,device=test,display=,board=,brand=test',
  'MAC,SSID,AuthMode,FirstSeen,Channel,RSSI,CurrentLatitude,CurrentLongitude,AltitudeMeters,AccuracyMeters,Type',
  ...[1, 2, 3, 4, 5].flatMap((number) =>
    [0, 1].map(
      (step) =>
        `${mac(number * 8)},cafe,[WPA2],2026-11-20 10:00:0${String(step)},6,-${String(50 + number)},${(48.1372 + step * 1e-4).toFixed(5)},${(11.5755 + number * 1e-4).toFixed(5)},500,5,WIFI`,
    ),
  ),
  `${mac(99)},home_nomap,[WPA2],2026-11-20 10:00:03,6,-60,48.13720,11.57550,500,5,WIFI`,
  `ff:ff:ff:ff:ff:ff,cafe,[WPA2],2026-11-20 10:00:04,6,-60,48.13720,11.57550,500,5,WIFI`,
].join('\n')
const SCAN = [1, 2, 3].map((number) => `${mac(number * 8)} -${String(50 + number)}`).join('\n')

describeInBrowser('the evidence of positions', (visit) => {
  let withoutGl: Browser
  let organization: TestOrganization
  const location = () => `/app/o/${organization.slug}/p/${organization.project.slug}/location`

  beforeAll(async () => {
    ;[withoutGl, organization] = await Promise.all([launchChromium(['--disable-3d-apis']), newOrganization()])
  })

  afterAll(() => withoutGl.close())

  it('goes from an empty organization to a position by mouse: dry run, import, coverage, try it', async () => {
    const { visitor, page } = await visit(organization.admin, `${location()}/coverage`)
    await visitor.sees('Coverage')
    await page.getByText('You have no access points of your own yet').waitFor()
    await expectSound(visitor, 'empty coverage')
    await page.getByRole('link', { name: 'Imports' }).last().click()
    await visitor.sees('Imports')
    await page.getByText('Nothing has been imported yet').waitFor()
    await expectSound(visitor, 'empty imports')

    const sent: string[] = []
    page.on('request', (request) => {
      if (request.method() !== 'GET') sent.push(request.url())
    })
    const file = { name: 'survey.csv.gz', mimeType: 'application/gzip', buffer: gzipSync(WIGLE) }
    await page.locator('input[type=file]').setInputFiles(file)
    await page.getByText('10 rows', { exact: true }).waitFor()
    await page.getByText('Rows left out, by line').click()
    await page.getByText('Line 13: Opted out (_nomap, _optout)').waitFor()
    await page.getByText('Line 14: Unusable MAC address').waitFor()
    expect(sent).toEqual([])
    await expectSound(visitor, 'dry run')
    await page.getByRole('button', { name: 'Import 10 rows' }).click()
    await page.getByText('survey.csv.gz is imported: 10 rows, 5 new access points, 0 refined.').waitFor()
    await page.getByRole('cell', { name: 'visible' }).waitFor()
    await expectNarrow(visitor, 'imports')

    await page.locator('input[type=file]').setInputFiles(file)
    await page.getByRole('button', { name: 'Import 10 rows' }).click()
    await page.getByText('survey.csv.gz was imported before').waitFor()

    await page.getByRole('link', { name: 'See them on the map' }).click()
    await visitor.sees('Coverage')
    await page.getByText('5 access points in view').waitFor()
    await page.getByRole('figure', { name: /Density of your access points/ }).waitFor()
    await page.locator('canvas.maplibregl-canvas').waitFor()
    // So few that each of them is shown.
    await page.getByRole('listitem').filter({ hasText: 'learned' }).waitFor()
    await page
      .getByRole('button', { name: /^Show 48\.\d+, 11\.\d+$/ })
      .first()
      .click()
    await page.waitForURL(/bbox=/)
    await expectSound(visitor, 'coverage')

    await page.goto(`${location()}/try`)
    await page.getByLabel('What the device received').fill(SCAN)
    await page.getByText('3 access points', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Locate', exact: true }).click()
    await page.getByText('3 access points sent · 3 usable · 3 known · 3 used').waitFor()
    await page.getByRole('figure', { name: /Where the scan was taken/ }).waitFor()
    expect(
      await page
        .getByRole('row')
        .filter({ hasText: mac(8) })
        .innerText(),
    ).toContain('used')
    await expectSound(visitor, 'a position')
    await expectNarrow(visitor, 'a position')
  })

  it('shows its tables, and says why there are no maps, where there is no WebGL', async () => {
    const at = `${location()}/coverage`
    const { visitor, page } = await visit(organization.admin, at, { browser: withoutGl })
    const reason = page.getByText('this browser cannot draw with WebGL')
    await reason.waitFor()
    await page.getByText('5 access points in view').waitFor()
    await page.getByRole('rowheader', { name: /^48/ }).first().waitFor()
    expect(await page.getByRole('button', { name: /^Show 48/ }).count()).toBe(0)
    await page.goto(`${location()}/try`)
    await page.getByLabel('What the device received').fill(SCAN)
    await page.getByRole('button', { name: 'Locate', exact: true }).click()
    await reason.waitFor()
    await page.getByRole('button', { name: mac(16) }).waitFor()
    await expectSound(visitor, 'a position without a map')
  })

  it('sets and removes a fallback provider, and erases an access point permanently', async () => {
    const { visitor, page } = await visit(organization.admin, `${location()}/coverage`)
    await visitor.sees('Coverage')
    await page.getByRole('button', { name: 'Set a provider' }).click()
    const dialog = page.getByRole('dialog', { name: 'Fallback provider' })
    await dialog.getByLabel('URL').fill('https://geo.example.com/v1/geolocate')
    await dialog.getByLabel('Key', { exact: true }).fill('k3y-of-the-provider')
    await dialog.getByLabel('Requests per minute').fill('12')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('stored encrypted, never shown').waitFor()
    const scope = { organization: organization.slug }
    expect(await organization.admin.client.call('showLocationFallback', scope)).toMatchObject({
      url: 'https://geo.example.com/v1/geolocate',
      has_key: true,
      requests_per_minute: 12,
    })
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('button', { name: 'Set a provider' }).waitFor()

    await page.getByRole('button', { name: 'Erase access points' }).click()
    const question = page.getByRole('alertdialog', { name: 'Erase access points' })
    await question.getByLabel('MAC address').fill('02:00:00:00:ee:01')
    const erase = question.getByRole('button', { name: 'Erase', exact: true })
    expect(await erase.isDisabled()).toBe(true)
    await question.getByText('Erase it permanently').click()
    await erase.click()
    await page.getByText('Erased. 0 stations had a position.').waitFor()
  })

  it('explains by keyboard alone why there is no position, and shows the same as a command', async () => {
    const { visitor, page } = await visit(organization.admin, `${location()}/try`, { scheme: 'dark' })
    await visitor.sees('Try it')
    await page.getByLabel('What the device received').focus()
    await page.keyboard.insertText('{ "accessPoints": [')
    await page.getByText('The JSON is not complete').waitFor()
    await page.keyboard.insertText(
      '{ "macAddress": "02:00:00:00:aa:01" }, { "macAddress": "02:00:00:00:bb:02" }] }',
    )
    await page.getByText('2 access points', { exact: true }).waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'No position' }).waitFor()
    await page.getByText('reason: too few known').waitFor()
    await page.getByText('As a command').focus()
    await page.keyboard.press('Enter')
    await page.getByText('--ap 02:00:00:00:aa:01').waitFor()
    await page.getByText('Authorization: Bearer $BEARING_ORG_TOKEN').waitFor()
    await expectSound(visitor, 'no position')
    await page
      .getByLabel('What the device received')
      .fill('[{ "macAddress": "02:00:00:00:aa:01", "signalStrength": -60, "age": 1500 }]')
    await page.getByText('02:00:00:00:aa:01=-60@1500').waitFor()
    await page
      .getByLabel('What the device received')
      .fill("bearing locate --ap 02:00:00:00:aa:01=-60@1500 \\\n  --ap '02:00:00:00:bb:02=-71'")
    await page.getByText('2 access points', { exact: true }).waitFor()
  })

  it('refuses a file that is no list of access points, and says what it can read', async () => {
    const { visitor, page } = await visit(organization.admin, `${location()}/imports`)
    await visitor.sees('Imports')
    const file = { name: 'letter.txt', mimeType: 'text/plain', buffer: Buffer.from('Dear Sir or Madam,\n') }
    await page.locator('input[type=file]').setInputFiles(file)
    await page.getByText('letter.txt is in an unknown format.').waitFor()
  })

  it('offers a reader nothing that the server would refuse, and says who can', async () => {
    const { project } = organization
    const reader = await newMember(organization, 'member', [{ project, role: 'reader' }])
    const { visitor, page } = await visit()
    const refusals: string[] = []
    page.on('response', (response) => {
      if (response.status() === 403) refusals.push(response.url())
    })
    await visitor.signIn(reader, `${location()}/try`)
    await visitor.sees('Try it')
    await page.getByText('Only for members of the project.').waitFor()
    expect(await page.getByRole('button', { name: 'Locate', exact: true }).isDisabled()).toBe(true)
    await page.goto(`${location()}/imports`)
    await page.getByText('Only for admins of the organization.').waitFor()
    expect(await page.locator('input[type=file]').count()).toBe(0)
    await page.goto(`${location()}/coverage`)
    await visitor.sees('Coverage')
    await visitor.settled()
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
    await expectSound(visitor, 'coverage of a reader')
    expect(refusals).toEqual([])
  })
})
