import { connectTo } from '@bearing/testing/connect-to'
import { eventually } from '@bearing/testing/eventually'
import { newMember, newOrganization } from '@bearing/testing/factories'
import { testStack } from '@bearing/testing/stack'
import { forSuite } from '@bearing/testing/for-suite'
import { beforeAll, expect, it } from '@jest/globals'
import type { Page } from 'playwright-core'
import { describeInBrowser } from './describe-in-browser.js'
import { expectSound } from './expect-sound.js'

describeInBrowser('the audit log', (visit) => {
  const organization = forSuite(() => newOrganization())
  const log = () => `/app/o/${organization.slug}/admin/audit-log`

  beforeAll(async () => {
    const { admin, slug, project } = organization
    await admin.client.call('renameProject', {
      organization: slug,
      project: project.slug,
      name: 'Fleet north',
    })
    await eventually(async () => {
      const { data } = await admin.client.call('listAuditEntries', {
        organization: slug,
        action: 'project.changed',
      })
      expect(data).toHaveLength(1)
    })
  })

  it('says in a sentence who did what and what has changed, and filters with the state in the URL', async () => {
    const { visitor, page } = await visit(organization.admin, log())
    await visitor.sees('Audit log')
    const row = page.getByRole('row', { name: /renamed the project Fleet north/ })
    await row.getByText(`name: ${organization.project.name}`).waitFor()
    await row.getByText('Fleet north').last().waitFor()
    await page
      .getByRole('button', { name: /^About/ })
      .or(page.getByLabel('About'))
      .first()
      .click()
    await page.getByRole('option', { name: 'Auth tokens', exact: true }).click()
    await row.waitFor({ state: 'detached' })
    await page.getByRole('row', { name: /created the auth token/ }).waitFor()
    expect(new URL(page.url()).searchParams.get('action')).toBe('organization_token')
    await page.locator('summary').first().click()
    await page.getByText('organization_token.created').first().waitFor()
    await expectSound(visitor, 'audit log with details')
    // The address alone shows the same to somebody else.
    await page.reload()
    await page.getByRole('row', { name: /created the auth token/ }).waitFor()
    expect(await row.count()).toBe(0)
    await page.goto(`${log()}?action=webhook`)
    await page.getByRole('heading', { name: 'Nothing matches' }).waitFor()
    await page.getByText('audit-log list').first().waitFor()
  })

  it('turns pages by cursor, by keyboard alone, and returns with the browser’s Back', async () => {
    const { admin, slug } = organization
    for (let number = 0; number < 30; number++) {
      const { id } = await admin.client.call('createOrganizationToken', {
        organization: slug,
        description: `Number ${String(number)}`,
      })
      await admin.client.call('deleteOrganizationToken', { organization: slug, organization_token_id: id })
    }
    const { page } = await visit(admin, `${log()}?action=organization_token`)
    const newest = page.getByRole('row', { name: /deleted the auth token Number 29/ })
    const oldest = page.getByRole('row', { name: /created the auth token Number 0\b/ })
    await newest.waitFor()
    expect(await oldest.count()).toBe(0)
    await page.getByRole('button', { name: 'Next', exact: true }).focus()
    await page.keyboard.press('Enter')
    await oldest.waitFor()
    expect(await newest.count()).toBe(0)
    await page.getByRole('button', { name: 'Previous', exact: true }).focus()
    await page.keyboard.press('Enter')
    await newest.waitFor()
    expect(new URL(page.url()).searchParams.has('after')).toBe(false)
  })

  it('is verified in the browser, which finds a forged row and says where', async () => {
    const { visitor, page } = await visit(organization.admin, log())
    await verify(page)
    await page.getByText('The chain is intact.').waitFor()
    await expectSound(visitor, 'verified chain')
    await using database = await connectTo(testStack().adminDatabaseUrl)
    const forge = (target: string) =>
      database.query('UPDATE identity.audit_log SET target = $2 WHERE chain = $1 AND sequence = 3', [
        organization.id,
        target,
      ])
    const { rows } = await database.query<{ target: string; id: string }>(
      'SELECT target, id FROM identity.audit_log WHERE chain = $1 AND sequence = 3',
      [organization.id],
    )
    await forge('user:somebody-else')
    await page.reload()
    await verify(page)
    await page.getByText('The chain is broken.').waitFor()
    await page.getByText(/Row 3 was changed/).waitFor()
    await page.getByText(rows[0]?.id ?? 'none').waitFor()
    await forge(rows[0]?.target ?? '')
  })

  it('is exported as it is filtered, and shows a member who can read it', async () => {
    const { visitor, page } = await visit(organization.admin, `${log()}?action=project.changed`)
    await page.getByRole('row', { name: /renamed the project/ }).waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Export' }).click(),
    ])
    expect(download.suggestedFilename()).toBe(`${organization.slug}-audit-log.ndjson`)
    const lines = await textOf(await download.createReadStream())
    expect(lines.map((line) => (JSON.parse(line) as { action: string }).action)).toEqual(['project.changed'])
    await visitor.leave()
    const { visitor: member } = await visit(await newMember(organization, 'member'), log())
    await member.page.getByText('Only admins of the organization can read the audit log.').waitFor()
  })

  it('shows the history of an object from its page', async () => {
    const { visitor, page } = await visit()
    const settings = `/app/o/${organization.slug}/p/${organization.project.slug}/settings/general`
    await visitor.signIn(organization.admin, settings)
    await page.getByRole('link', { name: /^Project: history of/ }).click()
    await visitor.sees('Audit log')
    await page.getByRole('row', { name: /renamed the project/ }).waitFor()
    await page.getByRole('button', { name: /^Only project .*remove this filter$/ }).click()
    await page
      .getByRole('row', { name: /deleted the auth token/ })
      .first()
      .waitFor()
  })
})

async function verify(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Verify the chain' }).click()
}

async function textOf(stream: NodeJS.ReadableStream): Promise<string[]> {
  let text = ''
  for await (const part of stream) text += String(part)
  return text.trimEnd().split('\n')
}
