import { newMember, newOrganization, type TestOrganization } from '@bearing/testing/factories'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type { Browser } from 'playwright-core'
import { launchChromium } from './chromium.js'
import { describeInBrowser } from './describe-in-browser.js'
import { expectSound } from './expect-sound.js'
import { Visitor } from './visitor.js'

const DAY_MS = 86_400_000

describeInBrowser('the home page', () => {
  let browser: Browser
  let organization: TestOrganization

  beforeAll(async () => {
    ;[browser, organization] = await Promise.all([launchChromium(), newOrganization()])
  })

  afterAll(() => browser.close())

  it('says what needs attention, leads to where it is done, and then says that nothing does', async () => {
    const { admin, slug } = organization
    await admin.client.call('createOrganizationToken', {
      organization: slug,
      description: 'Ends soon',
      expires_at: new Date(Date.now() + 5 * DAY_MS).toISOString(),
    })
    await admin.client.call('createProject', { organization: slug, name: 'Second' })
    const visitor = await Visitor.arrive(browser)
    const { page } = visitor
    await visitor.signIn(admin)
    await visitor.sees('Home')
    await page.getByText('“Ends soon” ends within 14 days.').waitFor()
    await page.getByRole('link', { name: /^Home 1 needs attention/ }).waitFor()
    await page.getByRole('link', { name: 'Second' }).waitFor()
    await expectSound(visitor, 'home')
    await page.getByRole('main').getByRole('link', { name: 'Rotate' }).focus()
    await page.keyboard.press('Enter')
    await visitor.sees('Organization Auth Tokens')
    await page.getByRole('rowheader', { name: /Ends soon/ }).waitFor()
    await page.getByRole('button', { name: 'Delete Ends soon' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('rowheader', { name: /Ends soon/ }).waitFor({ state: 'detached' })
    // No new page: what was cached before the change must not be shown.
    await page.getByRole('link', { name: /^Home/ }).click()
    await page.getByText('Nothing needs attention.').waitFor()
    expect(visitor.complaints).toEqual([])
    await visitor.leave()
  })

  it('leads somebody with one project straight to it, and asks for nothing that a member may not read', async () => {
    const { project } = organization
    const visitor = await Visitor.arrive(browser)
    const { page } = visitor
    const refused: string[] = []
    page.on('response', (response) => {
      if (response.status() === 403) refused.push(response.url())
    })
    await visitor.signIn(await newMember(organization, 'member', [{ project, role: 'reader' }]))
    await page.waitForURL(`**/p/${project.slug}/**`)
    await page.goto(`/app/o/${organization.slug}`)
    await page.getByText('Nothing needs attention.').waitFor()
    expect(refused).toEqual([])
    await visitor.leave()
  })
})
