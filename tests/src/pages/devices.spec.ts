import { readFile } from 'node:fs/promises'
import { eventually } from '@bearing/testing/eventually'
import { newOrganization } from '@bearing/testing/factories'
import { testStack } from '@bearing/testing/stack'
import { forSuite } from '@bearing/testing/for-suite'
import { beforeAll, expect, it } from '@jest/globals'
import { describeInBrowser } from './describe-in-browser.js'
import { expectNarrow, expectSound } from './expect-sound.js'
import { registerFleet, sendChunks } from './fleet.js'
import { elementsOf } from './in-page.js'
import { pressByKey, typeByKey } from './keyboard.js'

const FLEET = 1_200
const BEST = 'CRANE-7'

describeInBrowser('the pages of devices', (visit) => {
  const organization = forSuite(() => newOrganization())
  const { gatewayUrls } = testStack()
  const gateway = gatewayUrls[0] ?? ''
  const devices = () => `/app/o/${organization.slug}/p/${organization.project.slug}/devices`
  const address = () => ({ organization: organization.slug, project: organization.project.slug })

  beforeAll(async () => {
    await registerFleet(organization, organization.project, FLEET)
    await sendChunks(gateway, organization, organization.project, BEST, ['one', 'two', 'three'])
    await organization.token.client.call('declareAttribute', {
      ...address(),
      attribute: 'customer',
      type: 'string',
    })
  })

  it('draw only rows near the screen of 1,000 devices, and the end of the page when it is scrolled to', async () => {
    const { page } = await visit(organization.admin, `${devices()}?rows=1000`)
    await page.getByText(`1 to 1,000 of 1,201 devices`).waitFor()
    await page.getByRole('link', { name: BEST }).waitFor()
    expect(await page.evaluate(elementsOf)).toBeLessThanOrEqual(1_000)
    await page.mouse.move(700, 600)
    await page.mouse.wheel(0, 1_000_000)
    await page.getByRole('link', { name: 'FLEET-00999' }).waitFor()
    expect(await page.evaluate(elementsOf)).toBeLessThanOrEqual(1_000)
    await page.getByRole('button', { name: 'Next page' }).click()
    await page.getByText('1,001 to 1,201 of 1,201 devices').waitFor()
    await page.getByRole('link', { name: 'FLEET-01000' }).waitFor()
    await page.goBack()
    await page.getByText('1 to 1,000 of 1,201 devices').waitFor()
  })

  it('find a device by keyboard alone, with the search in the URL, and show what it has sent', async () => {
    const { visitor, page } = await visit(organization.admin, devices())
    await visitor.sees('Devices')
    await page.getByText('1 to 100 of 1,201 devices').waitFor()
    await page.getByRole('searchbox', { name: 'Serial number starts with' }).focus()
    await page.keyboard.type('CRANE')
    await page.keyboard.press('Enter')
    await page.getByText('1 device', { exact: true }).waitFor()
    expect(new URL(page.url()).search).toBe('?q=CRANE')
    await page.reload()
    await page.getByText('1 device', { exact: true }).waitFor()
    await expectSound(visitor, 'devices')
    await pressByKey(page, page.getByRole('link', { name: BEST }))
    await visitor.sees(BEST)
    await page.getByText('3 chunks, 11 B').waitFor()
    await page.locator('.timeline').getByText('chunk').first().waitFor()
    await expectSound(visitor, 'device')
    await expectNarrow(visitor, 'device')
  })

  it('give a device a nickname and an attribute, and delete it after counting what there is of it', async () => {
    const serial = 'NAMED-1'
    await sendChunks(gateway, organization, organization.project, serial, ['a'])
    const { visitor, page } = await visit(organization.admin, `${devices()}/${serial}`)
    await visitor.sees(serial)
    await page.getByLabel('Nickname').fill('Crane at the harbor')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Devices · Crane at the harbor').waitFor()
    await page.getByRole('button', { name: 'Delete …' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('1 chunk', { exact: true }).waitFor()
    expect(await dialog.getByRole('button', { name: 'Delete', exact: true }).isDisabled()).toBe(true)
    await dialog.getByLabel(`Type ${serial} to confirm`).fill(serial)
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
    await dialog.getByText('nothing is left').waitFor()
    await dialog.getByRole('button', { name: 'Close' }).click()
    await visitor.sees('Devices')
  })

  it('import a CSV file after a run that changes nothing, and show the attribute as a column', async () => {
    const { page } = await visit(organization.admin, devices())
    await page.getByRole('button', { name: 'Import CSV' }).click()
    const csv = 'device_serial,nickname,attribute:customer\nCSV-1,"First, of many",acme\nwrong serial,,\n'
    await page
      .getByLabel('File')
      .setInputFiles({ name: 'devices.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
    await page.getByRole('button', { name: 'Check the file' }).click()
    await page
      .getByText('Would register 1 device, change 0; 0 unchanged, 1 failed. Nothing has changed yet.')
      .waitFor()
    await page.getByText('device_serial must be 1 to 128 letters').waitFor()
    await page.getByRole('button', { name: 'Import 1 device' }).click()
    await page.getByText('Registered 1 device, changed 0').waitFor()
    await page.getByRole('button', { name: 'Close' }).click()
    await page.goto(`${devices()}?q=CSV`)
    await page.getByRole('cell', { name: 'acme' }).waitFor()
    await page.getByText('First, of many').waitFor()
  })

  it('delete all devices that match a filter, as many as the server has counted, and show how far it is', async () => {
    const { client } = organization.token
    for (const n of [1, 2, 3])
      await client.call('registerDevice', { ...address(), device_serial: `OLD-${String(n)}` })
    const { page } = await visit(organization.admin, `${devices()}?q=OLD-`)
    await page.getByRole('button', { name: 'Delete all that match …' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('OLD-1, OLD-2, OLD-3').waitFor()
    await dialog.getByLabel('Type 3 to confirm').fill('3')
    await dialog.getByRole('button', { name: 'Delete 3 devices' }).click()
    await page.getByText('3 of 3 devices deleted.').waitFor()
    await page.getByText('No device matches.').waitFor()
    await eventually(async () => {
      const { data } = await client.call('listDevices', { ...address(), q: 'OLD-' })
      expect(data).toEqual([])
    })
  })

  it('register a device and set what its agent sends, by keyboard alone, with the same as a command', async () => {
    const serial = 'KEYS-1'
    const { visitor, page } = await visit(organization.admin, devices())
    await visitor.sees('Devices')
    await pressByKey(page, page.getByRole('button', { name: 'Register', exact: true }))
    const dialog = page.getByRole('dialog')
    await typeByKey(page, dialog.getByLabel('Serial number'), serial)
    await typeByKey(page, dialog.getByLabel('Software version (optional)'), '1.0.0')
    await pressByKey(page, dialog.getByText('As a command'))
    const commands = await dialog.locator('.command pre').allInnerTexts()
    expect(commands[0]).toContain(`devices register ${serial} \\\n  --software-version 1.0.0`)
    expect(commands[1]).toContain(`"device_serial":"${serial}","software_version":"1.0.0"`)
    await pressByKey(page, dialog.getByRole('button', { name: 'Register' }))
    await visitor.sees(serial)
    const logs = page.getByRole('button', { name: /\bLogs\b/ })
    await pressByKey(page, logs)
    await page.getByRole('listbox').waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await logs.filter({ hasText: 'off' }).waitFor()
    await eventually(async () => {
      const { sampling } = await organization.token.client.call('showDevice', {
        ...address(),
        device_serial: serial,
      })
      expect(sampling).toEqual({ logging: 'off' })
    })
  })

  it('delete several devices that were selected, and keep the others', async () => {
    const { client } = organization.token
    for (const n of [1, 2, 3, 4])
      await client.call('registerDevice', { ...address(), device_serial: `PICK-${String(n)}` })
    const { visitor, page } = await visit()
    const dialog = page.getByRole('dialog')
    const selected = page.getByRole('region', { name: 'Selected devices' })
    await visitor.signIn(organization.admin, `${devices()}?q=PICK-`)
    await page.getByLabel('Select PICK-1').check()
    await page.getByLabel('Select PICK-2').check()
    await selected.getByText('2 devices selected').waitFor()
    await selected.getByRole('button', { name: 'Delete …' }).click()
    await dialog.getByText('PICK-1, PICK-2').waitFor()
    expect(await dialog.getByRole('button', { name: 'Delete 2 devices' }).isDisabled()).toBe(true)
    await dialog.getByLabel('Type 2 to confirm').fill('2')
    await dialog.getByRole('button', { name: 'Delete 2 devices' }).click()
    await dialog.getByText('2 of 2 devices deleted.').waitFor()
    await dialog.getByRole('button', { name: 'Close' }).click()
    await page.getByText('2 devices', { exact: true }).waitFor()
    await selected.waitFor({ state: 'detached' })
    const { data: left } = await client.call('listDevices', { ...address(), q: 'PICK-' })
    expect(left.map(({ device_serial }) => device_serial)).toEqual(['PICK-3', 'PICK-4'])
  })

  it('are exported as CSV, all that match and not only the page that is shown', async () => {
    const { page } = await visit(organization.admin, `${devices()}?q=FLEET-`)
    await page.getByText('1 to 100 of').waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ])
    expect(download.suggestedFilename()).toBe(`${organization.project.slug}-devices.csv`)
    const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\n')
    expect(lines[0]).toMatch(/^device_serial,nickname,attribute:customer,/)
    expect([lines.length, lines[1]?.split(',')[0], lines.at(-1)?.split(',')[0]]).toEqual([
      ...[FLEET + 1, 'FLEET-00001', `FLEET-0${String(FLEET)}`],
    ])
  })
})
