import { newMember, newOrganization } from '@bearing/testing/factories'
import { forSuite } from '@bearing/testing/for-suite'
import { expect, it } from '@jest/globals'
import type { Page } from 'playwright-core'
import { describeInBrowser } from './describe-in-browser.js'
import { expectSound } from './expect-sound.js'
import { placesOf } from './in-page.js'

describeInBrowser('the command palette', (visit) => {
  const organization = forSuite(() => newOrganization())
  const general = () => `/app/o/${organization.slug}/p/${organization.project.slug}/settings/general`

  const openPalette = async (page: Page) => {
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog', { name: 'Search or jump to' }).waitFor()
  }

  it('opens a page by keyboard alone, and by mouse', async () => {
    const { visitor, page } = await visit(organization.admin, general())
    await visitor.sees('General')
    await openPalette(page)
    await page.keyboard.type('audit')
    await page.getByRole('option', { name: 'Audit log', exact: true }).waitFor()
    await expectSound(visitor, 'palette')
    await page.keyboard.press('Enter')
    await visitor.sees('Audit log')
    await page.getByRole('button', { name: /Jump to/ }).click()
    await page.getByRole('option', { name: /^Members/ }).click()
    await visitor.sees('Members')
    await openPalette(page)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  it('says whose token a pasted secret is without sending or keeping it, and leads there', async () => {
    const { admin, slug } = organization
    const { token } = await admin.client.call('createOrganizationToken', {
      organization: slug,
      description: 'Pasted from a log',
    })
    const { visitor, page } = await visit()
    const sent: string[] = []
    page.on('request', (request) => sent.push(request.url(), request.postData() ?? ''))
    await visitor.signIn(admin, general())
    await visitor.sees('General')
    await openPalette(page)
    // A part of it, too, as while it is typed, is no search for devices.
    await page.keyboard.insertText(token.slice(0, 30))
    await page.getByText(/It was not sent/).waitFor()
    await page.keyboard.insertText(token.slice(30))
    await page.getByRole('option', { name: /“Pasted from a log” \(active\)/ }).click()
    await visitor.sees('Organization Auth Tokens')
    await page.getByRole('rowheader', { name: /Pasted from a log/ }).waitFor()
    expect(sent.join('\n')).not.toContain(token.slice(0, 30))
    const places = JSON.stringify([await page.evaluate(placesOf), visitor.complaints, visitor.urls])
    expect(places).not.toContain(token)
  })

  it('leads from a request id to what the request did', async () => {
    const { admin, slug } = organization
    const { data } = await admin.client.call('listAuditEntries', {
      organization: slug,
      action: 'organization_token.created',
    })
    const { visitor, page } = await visit(admin, general())
    await visitor.sees('General')
    await openPalette(page)
    await page.keyboard.insertText(data[0]?.request_id ?? '')
    await page.getByRole('option', { name: 'What this request did' }).click()
    await visitor.sees('Audit log')
    await page.getByRole('row', { name: /created the auth token/ }).waitFor()
  })

  it('finds devices from every page, and knows actions and documentation', async () => {
    const { admin, slug, project } = organization
    const second = await admin.client.call('createProject', { organization: slug, name: 'Elsewhere' })
    await admin.client.call('importDevices', {
      ...{ organization: slug, project: second.slug },
      devices: [{ device_serial: 'FOUND-1' }],
    })
    const { visitor, page } = await visit(admin, '/app/account')
    await visitor.sees('Account')
    await openPalette(page)
    await page.keyboard.insertText('FOUND-')
    await page.getByRole('option', { name: /FOUND-1/ }).click()
    await page.waitForURL(`**/p/${second.slug}/devices/FOUND-1`)
    await openPalette(page)
    await page.keyboard.insertText('create token')
    await page.getByRole('option', { name: 'Create an organization auth token' }).click()
    await page.getByRole('dialog', { name: 'Create Token' }).waitFor()
    await page.keyboard.press('Escape')
    await openPalette(page)
    await page.keyboard.insertText('new project')
    await page.getByRole('option', { name: 'New project' }).click()
    await page.getByRole('dialog', { name: 'New project' }).waitFor()
    await page.keyboard.press('Escape')
    await openPalette(page)
    await page.keyboard.insertText('limits')
    await page.getByRole('option', { name: /^Limits/ }).click()
    await page.waitForURL('**/docs/limits')
    await page.goto(`/app/o/${slug}/p/${project.slug}/devices`)
    await visitor.sees('Devices')
    await openPalette(page)
    await page.keyboard.insertText('sign out')
    await page.getByRole('option', { name: 'Sign out' }).click()
    await visitor.sees('Sign in')
  })

  it('offers a member only pages that the member may open', async () => {
    const { visitor, page } = await visit()
    const { project } = organization
    await visitor.signIn(await newMember(organization, 'member', [{ project, role: 'reader' }]), general())
    await visitor.sees('General')
    await openPalette(page)
    await page.getByRole('option', { name: /^General/ }).waitFor()
    expect(await page.getByRole('option', { name: /Audit log|Auth Tokens/ }).count()).toBe(0)
  })
})
