import { DAY_MS } from '@bearing/contracts/durations'
import { newMember, newOrganization } from '@bearing/testing/factories'
import { expect, it } from '@jest/globals'
import { queryIdentity } from '../tools/audited.js'
import { enroll } from '../tools/browser.js'
import { gateway } from '../tools/single-sign-on.js'
import { describeInBrowser } from './describe-in-browser.js'
import { expectSound } from './expect-sound.js'

/** Members that the page looks at. */
const READ = 1_000

describeInBrowser('the page of rules', (visit) => {
  it('limits the life of tokens, and the form to create one says when it ends', async () => {
    const { admin, slug } = await newOrganization()
    const { visitor, page } = await visit(admin, `/app/o/${slug}/admin/rules`)
    await visitor.sees('Rules')
    const life = page.getByRole('button', { name: /Longest life of a token(?! that)/ })
    await life.click()
    await page.getByRole('option', { name: '90 days' }).click()
    await page.getByText('It is only marked').click()
    await page.getByText('As a command').last().click()
    await page.getByText('org-tokens policy set --max-lifetime 90d --when-leaked flag').waitFor()
    await page.getByRole('button', { name: /Longest life of a token that administers/ }).click()
    await page.getByRole('option', { name: '30 days' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('button:disabled', { hasText: 'Save' }).waitFor()
    await page.reload()
    await life.filter({ hasText: '90 days' }).waitFor()
    expect(await admin.client.call('showOrganizationTokenPolicy', { organization: slug })).toMatchObject({
      max_lifetime_days: 90,
      when_leaked: 'flag',
      administration: 'allow',
      administration_max_lifetime_days: 30,
    })
    await page.goto(`/app/o/${slug}/admin/tokens`)
    await page.getByRole('button', { name: 'Create Token' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('A rule of the organization ends it after 90 days.').waitFor()
    await dialog.locator('label', { hasText: 'Administration' }).click()
    await dialog.getByText('A rule of the organization ends it after 30 days.').waitFor()
    await dialog.locator('label', { hasText: 'Project manager' }).click()
    await dialog.getByRole('textbox', { name: 'Description' }).fill('For a year')
    await dialog.getByRole('button', { name: 'Create Token' }).click()
    await page.locator('[data-secret]').waitFor()
    await page.getByRole('button', { name: 'I have saved it' }).click()
    const { data } = await admin.client.call('listOrganizationTokens', { organization: slug })
    const { created_at = '', expires_at } = data.find(({ description }) => description === 'For a year') ?? {}
    expect(expires_at).toBe(new Date(Date.parse(created_at) + 90 * DAY_MS).toISOString())
  })

  it('forbids tokens that administer', async () => {
    const { admin, slug } = await newOrganization()
    const { visitor, page } = await visit(admin, `/app/o/${slug}/admin/rules`)
    await page.getByText('No token may administer').click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('button:disabled', { hasText: 'Save' }).waitFor()
    await expectSound(visitor, 'tokens may not administer')
    expect(await admin.client.call('showOrganizationTokenPolicy', { organization: slug })).toMatchObject({
      administration: 'forbid',
    })
    await page.goto(`/app/o/${slug}/admin/tokens`)
    await page.getByRole('button', { name: 'Create Token' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.locator('label', { hasText: 'Administration' }).click()
    await dialog.getByText('A rule of the organization forbids tokens that administer.').waitFor()
  })

  it('requires a second factor only from somebody who has one, and then keeps out a member without', async () => {
    const organization = await newOrganization()
    const { admin, slug } = organization
    const member = await newMember(organization, 'member')
    const { recoveryCodes } = await enroll(gateway(), admin)
    const { visitor, page } = await visit(admin, `/app/o/${slug}/admin/rules`)
    await page.getByRole('button', { name: 'Use a recovery code' }).click()
    await page.getByLabel('Recovery code').fill(recoveryCodes[0] ?? '')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await visitor.sees('Rules')
    await page.getByText(`One member has none: ${member.email}.`).waitFor()
    await page.getByRole('button', { name: 'Require a second factor' }).click()
    const dialog = page.getByRole('alertdialog')
    await dialog.getByText(`One member has none: ${member.email}.`).waitFor()
    await expectSound(visitor, 'require a second factor')
    await dialog.getByRole('button', { name: 'Require it' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('required', { exact: true }).waitFor()
    await visitor.leave()

    const { visitor: refused } = await visit(member, `/app/o/${slug}`)
    await refused.page
      .getByText(/requires a second factor/)
      .first()
      .waitFor()
  })

  it('claims nothing about members that it has not read', async () => {
    const { admin, id, slug } = await newOrganization()
    const added = READ + 1
    await queryIdentity(
      `WITH added AS (
         INSERT INTO users (id, email, created_at)
         SELECT gen_random_uuid(), 'zz-' || n || '-' || $2 || '@example.com', now() FROM generate_series(1, $3::integer) n
         RETURNING id)
       INSERT INTO memberships (user_id, organization_id, role) SELECT id, $1, 'member' FROM added`,
      [id, slug, added],
    )
    const { page } = await visit(admin, `/app/o/${slug}/admin/rules`)
    await page.getByText(/^Of the first 1,000 of 1,002 members, 1,000 members have none: /).waitFor()
    await page.goto(`/app/o/${slug}/admin/members?q=nobody-has-this`)
    await page.getByText('0 members among the first 1,000 of 1,002').waitFor()
  })
})
