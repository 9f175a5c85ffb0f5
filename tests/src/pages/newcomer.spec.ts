import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { eventually } from '@bearing/testing/eventually'
import { newOrganization } from '@bearing/testing/factories'
import { forSuite } from '@bearing/testing/for-suite'
import { expect, it } from '@jest/globals'
import type { Page } from 'playwright-core'
import { describeInBrowser } from './describe-in-browser.js'

/** Time limit for imported access points to be known everywhere, in milliseconds. */
const KNOWN_MS = 120_000
/** Two access points of the organization, in a file. */
const ADDRESSES = ['02:00:5e:00:c1:01', '02:00:5e:00:c1:02']

/** Runs the command that a page shows, as somebody who copies it into a shell. */
async function run(command: string, environment: Readonly<Record<string, string>> = {}): Promise<string> {
  const env = { PATH: process.env['PATH'] ?? '', ...environment }
  return (await promisify(execFile)('sh', ['-c', command], { env })).stdout
}

describeInBrowser('a newcomer', (visit) => {
  const organization = forSuite(() => newOrganization())

  const follow = async (page: Page, step: string) => {
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: /^Home/ }).click()
    await page.getByRole('main').getByRole('link', { name: step }).click()
  }

  it('gets from the home page to a device on the map by what the pages say', async () => {
    const { visitor, page } = await visit(organization.admin)
    await visitor.sees('Home')
    await page.getByText('waiting for your first chunk').waitFor()

    await follow(page, 'Create a token')
    await page.getByRole('button', { name: 'Create Token' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Description').fill('First')
    await dialog.getByRole('button', { name: 'Create Token' }).click()
    const BEARING_ORG_TOKEN = await page.locator('[data-secret]').innerText()
    await page.getByRole('button', { name: 'I have saved it' }).click()

    await follow(page, 'Send a chunk')
    await visitor.sees('Project Key')
    await run(await page.locator('.command pre').last().innerText())
    await page.getByRole('link', { name: 'Devices', exact: true }).click()
    await page.getByRole('link', { name: 'DEMO-1' }).waitFor()

    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: /^Home/ }).click()
    await page.getByRole('main').getByRole('link', { name: 'DEMO-1' }).waitFor()

    await follow(page, 'Import access points')
    const rows = ADDRESSES.map((address) => `${address},48.1372,11.5755`)
    const buffer = Buffer.from(['bssid,lat,lon', ...rows].join('\n'))
    await page.locator('input[type=file]').setInputFiles({ name: 'mine.csv', mimeType: 'text/csv', buffer })
    await page.getByRole('button', { name: 'Import 2 rows' }).click()
    await page.getByText('mine.csv is imported').waitFor()

    await follow(page, 'Look up a position')
    await page.getByLabel('What the device received').fill(ADDRESSES.map((one) => `${one} -55`).join('\n'))
    await eventually(
      async () => {
        await page.getByRole('button', { name: 'Locate' }).click()
        const found = page.getByText('48.137').first()
        await found.or(page.getByRole('heading', { name: 'No position' })).waitFor()
        expect(await found.isVisible()).toBe(true)
      },
      { withinMs: KNOWN_MS },
    )

    await follow(page, 'See your devices')
    await page.getByText('This project does not store positions yet').waitFor()
    await page.getByRole('main').getByRole('link', { name: 'Positions' }).click()
    await visitor.sees('Positions')
    await page.getByText('Store positions of devices').click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Current policy').waitFor()

    await follow(page, 'See your devices')
    await page.getByText('No device has a position yet').waitFor()
    const shown = await page.locator('.command pre').first().innerText()
    const [first = '', second = ''] = ADDRESSES
    const command = shown.replace('02:00:5e:00:1b:00', first).replace('02:00:5e:00:1c:00', second)
    expect(await run(command, { BEARING_ORG_TOKEN })).toContain('"lat":48.137')
    await page.getByRole('button', { name: 'UNIT-1' }).waitFor()
    await page.getByRole('figure', { name: 'Map of 1 device' }).waitFor()
  })
})
