import { eventually } from '@bearing/testing/eventually'
import { newMember, newOrganization } from '@bearing/testing/factories'
import { forSuite } from '@bearing/testing/for-suite'
import { testStack } from '@bearing/testing/stack'
import { expect, it } from '@jest/globals'
import pg from 'pg'
import type { Locator } from 'playwright-core'
import { gateway } from '../tools/single-sign-on.js'
import { describeInBrowser } from './describe-in-browser.js'
import { expectNarrow, expectSound, expectSoundInBoth } from './expect-sound.js'

const DAY_MS = 86_400_000
/** Time limit for counts to be shown. */
const WITHIN = { withinMs: 30_000 }

describeInBrowser('the home page', (visit) => {
  const organization = forSuite(() => newOrganization())

  it('says what needs attention, leads to where it is done, and then says that nothing does', async () => {
    const { admin, slug } = organization
    await admin.client.call('createOrganizationToken', {
      organization: slug,
      description: 'Ends soon',
      expires_at: new Date(Date.now() + 5 * DAY_MS).toISOString(),
    })
    await admin.client.call('createProject', { organization: slug, name: 'Second' })
    const { visitor, page } = await visit(admin)
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
  })

  it('shows devices, look-ups and data with charts that pointer, keys and a table read, and asks for little', async () => {
    const { admin, slug, project, token } = await newOrganization()
    const scope = { organization: slug, project: project.slug }
    const chunk = {
      method: 'POST',
      body: 'hello',
      headers: { 'service-project-key': project.key, 'content-type': 'application/octet-stream' },
    }
    for (const serial of ['ONE', 'TWO'])
      expect((await fetch(`${gateway()}/api/v0/chunks/${serial}`, chunk)).status).toBe(202)
    const scan = { accessPoints: [{ macAddress: '02:00:00:00:00:10' }, { macAddress: '02:00:00:00:02:00' }] }
    await expect(token.client.call('resolveWifiLocation', { ...scope, ...scan })).rejects.toMatchObject({
      code: 'location_not_found',
    })
    await eventually(async () => {
      const { devices, lookups } = await admin.client.call('showOverview', { organization: slug })
      expect([devices.seen, lookups.not_found]).toEqual([2, 1])
    }, WITHIN)
    const { visitor, page } = await visit(admin)
    await visitor.sees('Home')
    await page.getByText('2 seen, 2 new').waitFor()
    const chart = page.getByRole('slider', { name: 'Devices seen per hour' })
    await chart.focus()
    // The hour may have ended meanwhile.
    for (let hour = 0; hour < 23 && !(await readAt(chart)).endsWith(': 2'); hour++)
      await page.keyboard.press('ArrowLeft')
    expect(await readAt(chart)).toMatch(/^\d+ \w+ \d\d:00: 2$/)
    await page.keyboard.press('Home')
    expect(await readAt(chart)).toMatch(/: 0$/)
    // Zero has no column: of 24 hours at most two have one.
    expect(await chart.locator('rect.chart-main').count()).toBeLessThanOrEqual(2)
    await chart.hover()
    await chart.locator('rect.chart-chosen').waitFor()
    await page.getByText('As a table').click()
    const table = page.getByRole('region', { name: 'Overview: table' })
    await table.waitFor()
    expect(await table.getByRole('row').count()).toBe(25)
    await page.getByLabel('Period').click()
    await page.getByRole('option', { name: 'Last 7 days' }).click()
    await page.getByRole('slider', { name: 'Devices seen per day' }).waitFor()
    expect(page.url()).toContain('period=7d')
    await page.getByRole('rowheader', { name: project.slug }).waitFor()
    await expectSoundInBoth(visitor, 'home with data')
    await expectNarrow(visitor, 'home with data')
    const asked = visitor.urls.filter((url) => /\/(api|auth)\//.test(url))
    expect(asked.filter((url) => url.includes('/overview')).length).toBeLessThanOrEqual(2)
    await page.goto(`/app/o/${slug}/p/${project.slug}/devices`)
    await page.getByRole('slider', { name: 'Devices seen per day' }).focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(/last_seen_after=.*last_seen_before=/)
    await page.getByText('2 devices', { exact: true }).waitFor()
  })

  it('names failing webhooks of every project, and reads only the webhooks of projects that have one', async () => {
    const { admin, slug, project } = await newOrganization()
    const other = await admin.client.call('createProject', { organization: slug, name: 'Other' })
    const create = (of: string) =>
      admin.client.call('createWebhook', {
        ...{ organization: slug, project: of, url: 'https://hooks.example.com/x', description: `Of ${of}` },
      })
    const [failing] = await Promise.all([create(other.slug), create(project.slug)])
    const database = new pg.Client(testStack().databaseUrls.management)
    await database.connect()
    await database.query('UPDATE webhooks SET failing_since = now() WHERE id = $1', [failing.id])
    await database.end()
    const { visitor, page } = await visit(admin, `/app/o/${slug}/p/${project.slug}/settings/general`)
    await page.getByRole('link', { name: /^Home 1 needs attention/ }).click()
    await page.getByText(`The webhook Of ${other.slug} of Other fails. Its deliveries are retried.`).waitFor()
    expect(visitor.urls.filter((url) => new URL(url).pathname.endsWith('/webhooks'))).toEqual([
      expect.stringContaining(`/${other.slug}/webhooks`),
    ])
  })

  it('is where somebody with one project arrives, and asks for nothing that a member may not read', async () => {
    const { project } = organization
    const { visitor, page } = await visit()
    const refused: string[] = []
    page.on('response', (response) => {
      if (response.status() === 403) refused.push(response.url())
    })
    await visitor.signIn(await newMember(organization, 'member', [{ project, role: 'reader' }]))
    await visitor.sees('Home')
    await page.getByText('Nothing needs attention.').waitFor()
    await page.getByRole('rowheader', { name: project.slug }).waitFor()
    expect(refused).toEqual([])
  })
})

async function readAt(chart: Locator): Promise<string> {
  return (await chart.getAttribute('aria-valuetext')) ?? ''
}
