import { randomUUID } from 'node:crypto'
import { eventually } from '@bearing/testing/eventually'
import { newOrganization, type TestOrganization } from '@bearing/testing/factories'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type { Browser } from 'playwright-core'
import { queryIdentity } from '../tools/audited.js'
import { send } from '../tools/http.js'
import { launchChromium } from './chromium.js'
import { describeInBrowser } from './describe-in-browser.js'
import { expectGone } from './expect-gone.js'
import { expectSound } from './expect-sound.js'
import { Visitor } from './visitor.js'

const SCAN = {
  accessPoints: [
    { macAddress: '02:00:00:00:00:10', signalStrength: -50 },
    { macAddress: '02:00:00:00:02:00', signalStrength: -60 },
  ],
}

describeInBrowser('the page of legacy tokens', () => {
  let browser: Browser
  let organization: TestOrganization

  beforeAll(async () => {
    ;[browser, organization] = await Promise.all([launchChromium(), newOrganization()])
  })

  afterAll(() => browser.close())

  it('imports a token without sending it, shows that it is in use, replaces it, and deletes it', async () => {
    const { slug, project, admin } = organization
    const legacy = `eyJ.${randomUUID()}.legacy`
    const visitor = await Visitor.arrive(browser)
    const { page } = visitor
    const sent: string[] = []
    page.on('request', (request) => sent.push(request.postData() ?? ''))
    const locate = async (token: string) => {
      const path = `/v1/organizations/${slug}/projects/${project.slug}/location/wifi`
      const headers = { authorization: `Bearer ${token}` }
      return (await send(visitor.gateway, 'POST', path, { headers, body: SCAN })).status
    }
    await visitor.signIn(admin, `/app/o/${slug}/admin/legacy-tokens`)
    await visitor.sees('Legacy tokens')
    await page.getByText('There is no legacy token').waitFor()
    expect(await locate(legacy)).toBe(401)
    await page.getByRole('button', { name: 'Import' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Tokens, one per line').fill(`# of the trackers\n${legacy}\n`)
    await dialog.getByRole('button', { name: /Project/ }).click()
    await page.getByRole('option', { name: project.name }).click()
    await dialog.getByText('As a command').click()
    await dialog.getByText(`--project ${project.slug}`).waitFor()
    await dialog.getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByText('1 imported, 0 changed.').waitFor()
    expect(sent.join('\n')).not.toContain(legacy)
    await expectGone(visitor, legacy)
    await page.getByText('not since the import').waitFor()
    await page.getByText('180 days left').or(page.getByText('181 days left')).first().waitFor()
    await expectSound(visitor, 'legacy tokens')

    await eventually(async () => {
      expect(await locate(legacy)).not.toBe(401)
    })
    // Gateways report uses about once a minute, which is too long to wait for here.
    await queryIdentity('UPDATE legacy_tokens SET last_used_at = now() WHERE organization_id = $1', [
      organization.id,
    ])
    await page.reload()
    await page.getByRole('cell', { name: /^just now$| ago$/ }).waitFor()
    await page.getByRole('button', { name: /^Replace / }).click()
    await dialog.getByText(`--project ${project.slug}`).waitFor({ state: 'attached' })
    await dialog.getByLabel('Description').fill('Trackers')
    await dialog.getByRole('button', { name: 'Create the token' }).click()
    const secret = await page.locator('[data-secret]').innerText()
    await page.getByRole('button', { name: 'I have saved it' }).click()
    await dialog.waitFor({ state: 'detached' })
    await expectGone(visitor, secret)
    expect(await locate(secret)).not.toBe(401)

    await page.getByRole('button', { name: /^Delete / }).click()
    const question = page.getByRole('alertdialog')
    await question.getByText('It was last used').waitFor()
    await question.getByRole('button', { name: 'Delete' }).click()
    await question.waitFor({ state: 'detached' })
    await eventually(async () => {
      expect(await locate(legacy)).toBe(401)
    })
    expect(visitor.complaints).toEqual([])
    await visitor.leave()
  })
})
