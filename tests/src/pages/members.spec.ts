import { randomBytes } from 'node:crypto'
import { eventually } from '@bearing/testing/eventually'
import { newMember, newOrganization } from '@bearing/testing/factories'
import { forSuite } from '@bearing/testing/for-suite'
import { expect, it } from '@jest/globals'
import { describeInBrowser } from './describe-in-browser.js'
import { expectSound } from './expect-sound.js'
import { pressByKey, typeByKey } from './keyboard.js'

describeInBrowser('the pages of members', (visit) => {
  const organization = forSuite(() => newOrganization())
  const members = () => `/app/o/${organization.slug}/admin/members`
  const projectMembers = () => `/app/o/${organization.slug}/p/${organization.project.slug}/settings/members`

  it('invite a person by keyboard alone, refuse a second invitation, send it again, and revoke it', async () => {
    const email = `grace-${randomBytes(4).toString('hex')}@example.com`
    const { visitor, page } = await visit()
    const dialog = page.getByRole('dialog')
    await visitor.signIn(organization.admin, members())
    await visitor.sees('Members')
    const fill = async () => {
      await pressByKey(page, page.getByRole('button', { name: 'Invite' }))
      await typeByKey(page, dialog.getByLabel('Email address'), email)
    }
    await fill()
    await pressByKey(page, dialog.getByText('As a command'))
    await dialog.getByText(`invitations create ${email} --role member`).waitFor()
    await dialog.getByText(`"email":"${email}"`).waitFor()
    await pressByKey(page, dialog.getByRole('button', { name: 'Send the invitation' }))
    const row = page.getByRole('row').filter({ hasText: email })
    await row.getByText('pending').waitFor()
    await fill()
    await page.keyboard.press('Enter')
    await dialog.getByRole('link', { name: 'invitation_pending' }).waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await pressByKey(page, page.getByRole('button', { name: `Send again to ${email}` }))
    await pressByKey(page, page.getByRole('button', { name: `Revoke the invitation of ${email}` }))
    await row.getByText('revoked').waitFor()
    await expectSound(visitor, 'members')
  })

  it('give a member a role in a project, change it and take it away, then make an admin and remove the member', async () => {
    const user = await newMember(organization, 'member')
    const sees = (count: number) =>
      eventually(async () => {
        const { data } = await user.client.call('listProjects', { organization: organization.slug })
        expect(data).toHaveLength(count)
      })
    await sees(0)
    const { visitor, page } = await visit()
    const dialog = page.getByRole('dialog')
    await visitor.signIn(organization.admin, projectMembers())
    await visitor.sees('Project Members')
    await page.getByText('No member has a role only in this project').waitFor()
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await dialog.getByLabel('Email address').fill('nobody@example.com')
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await dialog.getByText('nobody@example.com is no member of the organization.').waitFor()
    await dialog.getByLabel('Email address').fill(user.email)
    await dialog.getByText('Reader').click()
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('1 member', { exact: true }).waitFor()
    await sees(1)
    const role = page.getByRole('button', { name: new RegExp(`Role of ${user.email}`) })
    await role.click()
    await page.getByRole('option', { name: 'Manager' }).click()
    await role.filter({ hasText: 'Manager' }).waitFor()
    await expectSound(visitor, 'project members')
    await page.getByRole('button', { name: `Remove ${user.email} from the project` }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('No member has a role only in this project').waitFor()
    await sees(0)

    await page.goto(`${members()}?q=${user.email}`)
    await role.click()
    await page.getByRole('option', { name: 'Admin' }).click()
    await role.filter({ hasText: 'Admin' }).waitFor()
    await sees(1)
    await page.getByRole('button', { name: `Remove ${user.email}` }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('No member matches').waitFor()
    await eventually(async () => {
      await expect(
        user.client.call('listProjects', { organization: organization.slug }),
      ).rejects.toMatchObject({ status: 404 })
    })
  })
})
