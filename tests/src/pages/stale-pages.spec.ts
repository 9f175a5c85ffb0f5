import { eventually } from '@bearing/testing/eventually'
import { newMember, newOrganization, newProject, newUser } from '@bearing/testing/factories'
import type { TestProject } from '@bearing/testing/factories'
import { forSuite } from '@bearing/testing/for-suite'
import { beforeAll, expect, it } from '@jest/globals'
import type { Page } from 'playwright-core'
import { describeInBrowser } from './describe-in-browser.js'

/** More than one request of an import has. */
const ROWS = 600

describeInBrowser('pages whose data has changed', (visit) => {
  const organization = forSuite(() => newOrganization())
  const second = forSuite(() => newProject(organization))
  const devices = () => `/app/o/${organization.slug}/p/${organization.project.slug}/devices`

  beforeAll(async () => {
    for (const { slug: project } of [organization.project, second])
      await organization.token.client.call('registerDevice', {
        ...{ organization: organization.slug, project, device_serial: `CRANE-${project}` },
      })
  })

  async function choose(page: Page, { name }: TestProject): Promise<void> {
    await page.getByRole('button', { name: /^Organization and project/ }).click()
    await page.getByRole('menuitem', { name }).click()
  }

  it('show and select devices of the chosen project only, from the moment that it is chosen', async () => {
    const { visitor, page } = await visit(organization.admin, devices())
    const crane = (name: string) => page.getByRole('link', { name: `CRANE-${name}` })
    await crane(organization.project.slug).waitFor()
    await page.getByRole('checkbox', { name: `Select CRANE-${organization.project.slug}` }).check()
    await page.getByText('1 device selected').waitFor()
    let release: () => void = () => undefined
    const isReleased = new Promise<void>((resolve) => (release = resolve))
    await page.route(`**/projects/${second.slug}/devices?*`, async (route) => {
      await isReleased
      await route.continue()
    })
    await choose(page, second)
    await crane(organization.project.slug).waitFor({ state: 'detached' })
    release()
    await crane(second.slug).waitFor()
    expect(await page.getByText('1 device selected').count()).toBe(0)
    await crane(second.slug).click()
    await visitor.sees(`CRANE-${second.slug}`)
    await choose(page, organization.project)
    await visitor.sees('Devices')
    await crane(organization.project.slug).waitFor()
  })

  it('say that an import was stopped after what it has registered, and never that nothing has changed', async () => {
    const { visitor, page } = await visit()
    // Or the page ends the second batch after 30 s, and a busy machine may take longer to press Stop.
    await page.addInitScript('AbortSignal.timeout = () => new AbortController().signal')
    await visitor.signIn(organization.admin, devices())
    let imported = 0
    await page.route('**/devices/import', async (route) => {
      const isDry = (route.request().postDataJSON() as { dry_run: boolean }).dry_run
      // The second batch is never answered.
      if (isDry || ++imported === 1) await route.continue()
    })
    await page.getByRole('button', { name: 'Import CSV' }).click()
    const serials = Array.from({ length: ROWS }, (_, index) => `ROW-${String(index)}`)
    const buffer = Buffer.from(['device_serial', ...serials].join('\n'))
    await page.getByLabel('File').setInputFiles({ name: 'devices.csv', mimeType: 'text/csv', buffer })
    await page.getByRole('button', { name: 'Check the file' }).click()
    await page.getByRole('button', { name: `Import ${String(ROWS)} devices` }).click()
    await page.getByText('Registered 250 devices').waitFor()
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByText('Stopped. What was imported so far stays.').waitFor()
    await page.getByText('Registered 250 devices').waitFor()
    expect(await page.getByText('Nothing has changed yet').count()).toBe(0)
  })

  it('lead back from a page of a list that is empty since its last file was deleted', async () => {
    const { token, slug, project } = organization
    const scope = { organization: slug, project: project.slug }
    const { upload_url, token: proof } = await token.client.call('prepareUpload', {
      ...{ ...scope, kind: 'coredump', size: 4 },
    })
    await fetch(upload_url, { method: 'PUT', body: 'core' })
    const file = { token: proof, name: 'left.core' }
    const { id: file_id } = await token.client.call('commitCoredump', { ...scope, kind: 'coredump', file })
    const { page } = await visit(organization.admin, `${devices().replace('devices', 'files')}?page=2`)
    await page.getByText('No rows are left on this page').waitFor()
    expect(await page.getByText('No files yet').count()).toBe(0)
    await page.getByRole('button', { name: 'Previous' }).click()
    await page.getByRole('link', { name: 'left.core' }).waitFor()
    await token.client.call('deleteFile', { ...scope, file_id })
    await page.getByRole('button', { name: 'Details of left.core' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('alert').waitFor()
    await dialog.getByRole('button', { name: 'Close' }).click()
    await dialog.waitFor({ state: 'detached' })
    // The audit log names the file, and not its project in place of it.
    await page.goto(`/app/o/${slug}/admin/audit-log?action=file.created`)
    await page.getByText(/uploaded the file …[0-9a-f]{8} \(project /).waitFor()
  })

  it('send a form of one field once, however often Enter is pressed', async () => {
    const { visitor, page } = await visit()
    const user = await newUser()
    await visitor.signIn(user)
    let sent = 0
    let release: () => void = () => undefined
    const isReleased = new Promise<void>((resolve) => (release = resolve))
    await page.route('**/api/v0/organizations', async (route) => {
      if (route.request().method() === 'POST') {
        sent++
        await isReleased
      }
      await route.continue()
    })
    await visitor.sees('Organizations')
    const name = page.getByLabel('Name', { exact: true })
    await name.fill('Twice')
    for (let presses = 0; presses < 3; presses++) await name.press('Enter')
    await eventually(() => {
      expect(sent).toBe(1)
    })
    release()
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
    expect(await user.client.call('listOrganizations', {})).toMatchObject({ data: [{ name: 'Twice' }] })
  })

  it('say who may see them to a member who opens the address of the rules', async () => {
    const { visitor } = await visit(
      await newMember(organization, 'member'),
      `/app/o/${organization.slug}/admin/rules`,
    )
    await visitor.page.getByText('Only for admins of the organization.').waitFor()
  })
})
