import { randomBytes } from 'node:crypto'
import { newMember, newOrganization, newUser, type TestOrganization } from '@bearing/testing/factories'
import { beforeAll, it } from '@jest/globals'
import { totp } from '../tools/authenticator.js'
import { Browser as Session } from '../tools/browser.js'
import { gateway } from '../tools/single-sign-on.js'

import { describeInBrowser } from './describe-in-browser.js'
import { expectGone } from './expect-gone.js'
import { attachByKey, chooseByKey, pressByKey, tabTo, typeByKey } from './keyboard.js'

const text = (name: string, content: string) => ({
  name,
  mimeType: 'text/plain',
  buffer: Buffer.from(content),
})

// Repeats tasks that other specs do by mouse, without one.
describeInBrowser('by keyboard alone', (visit) => {
  let organization: TestOrganization
  const admin = (path: string) => `/app/o/${organization.slug}/admin/${path}`
  const project = (path: string) => `/app/o/${organization.slug}/p/${organization.project.slug}/${path}`

  beforeAll(async () => {
    organization = await newOrganization()
  })

  it('an account ends other sessions, gets a second factor and dark colors, and is deleted', async () => {
    const user = await newUser()
    await Session.signIn(gateway(), user)
    const { visitor, page } = await visit(user, '/app/account')
    const end = page.getByRole('button', { name: 'End all other sessions' })
    await pressByKey(page, end)
    await end.waitFor({ state: 'detached' })
    await pressByKey(page, page.getByRole('button', { name: 'Set up an authenticator' }))
    const dialog = page.getByRole('dialog')
    await typeByKey(page, dialog.getByLabel('Your password'), user.password)
    await page.keyboard.press('Enter')
    await pressByKey(page, dialog.getByText('It cannot scan'))
    const secret = await dialog.locator('details code').innerText()
    await typeByKey(page, dialog.getByLabel('The code that it shows now'), totp(secret, Date.now()))
    await page.keyboard.press('Enter')
    const codes = (await page.locator('[data-secret]').innerText()).split('\n')
    await pressByKey(page, page.getByRole('button', { name: 'I have saved it' }))
    await page.getByText('10 recovery codes left').waitFor()
    await tabTo(page, page.getByRole('radio', { name: 'Like this computer' }))
    await page.keyboard.press('ArrowUp')
    await page.locator('html[data-theme="dark"]').waitFor()
    await pressByKey(page, page.getByRole('button', { name: 'Delete my account' }))
    const question = page.getByRole('alertdialog')
    await typeByKey(page, question.getByLabel('Your password'), user.password)
    await typeByKey(page, question.getByLabel(/^Code of your authenticator/), codes[0] ?? '')
    await page.keyboard.press('Enter')
    await visitor.sees('Sign in')
  })

  it('an admin creates and deletes a token, replaces the project key, renames the project and adds a member', async () => {
    const member = await newMember(organization, 'member')
    const { visitor, page } = await visit(organization.admin, admin('tokens'))
    await pressByKey(page, page.getByRole('button', { name: 'Create Token' }))
    await typeByKey(page, page.getByRole('dialog').getByRole('textbox', { name: 'Description' }), 'Typed')
    await page.keyboard.press('Enter')
    const secret = await page.locator('[data-secret]').innerText()
    await pressByKey(page, page.getByRole('button', { name: 'I have saved it' }))
    await expectGone(visitor, secret)
    await pressByKey(page, page.getByRole('button', { name: 'Delete Typed' }))
    await pressByKey(page, page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }))
    await page.getByRole('rowheader', { name: /Typed/ }).waitFor({ state: 'detached' })

    await page.goto(project('settings/project-key'))
    await pressByKey(page, page.getByRole('button', { name: 'Replace the key' }))
    await pressByKey(page, page.getByRole('dialog').getByRole('button', { name: 'Replace the key' }))
    await page.getByText('Replaced keys that still work').waitFor()

    await page.goto(project('settings/members'))
    await pressByKey(page, page.getByRole('button', { name: 'Add', exact: true }))
    await typeByKey(page, page.getByRole('dialog').getByLabel('Email address'), member.email)
    await page.keyboard.press('Enter')
    await page.getByText('1 member', { exact: true }).waitFor()
    await pressByKey(page, page.getByRole('button', { name: `Remove ${member.email} from the project` }))
    await pressByKey(page, page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }))
    await page.getByText('No member has a role only in this project').waitFor()

    const slug = `typed-${randomBytes(4).toString('hex')}`
    await page.goto(project('settings/general'))
    await typeByKey(page, page.getByRole('textbox', { name: 'Project slug' }), slug)
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/p/${slug}/settings/general`)
    organization = { ...organization, project: { ...organization.project, slug } }
  })

  it('access points are imported and looked at on the map', async () => {
    const { visitor, page } = await visit(organization.admin, project('location/imports'))
    await visitor.sees('Imports')
    const rows = ['bssid,lat,lon', '02:00:5e:00:d1:01,48.1,11.5', '02:00:5e:00:d1:02,48.1,11.5']
    await attachByKey(page, page.locator('input[type=file]'), text('mine.csv', rows.join('\n')))
    await pressByKey(page, page.getByRole('button', { name: 'Import 2 rows' }))
    await page.getByText('mine.csv is imported').waitFor()
    await pressByKey(page, page.getByRole('link', { name: 'See them on the map' }))
    await visitor.sees('Coverage')
    await pressByKey(page, page.getByRole('button', { name: /^Show 48\.\d+, 11\.\d+$/ }).first())
    await page.waitForURL(/bbox=/)
    await pressByKey(page, page.getByRole('button', { name: 'Show all' }))
    await page.waitForURL((url) => !url.searchParams.has('bbox'))
  })

  it('a file is uploaded and deleted, a webhook created, a retention shortened, and usage looked at', async () => {
    const { visitor, page } = await visit()
    const dialog = page.getByRole('dialog')
    const question = page.getByRole('alertdialog')
    await visitor.signIn(organization.admin, project('files'))
    await pressByKey(page, page.getByRole('button', { name: 'Upload' }))
    await attachByKey(page, dialog.getByLabel('File', { exact: true }), text('core.bin', 'a coredump'))
    await typeByKey(page, dialog.getByLabel('Serial number of the device'), 'TYPED-1')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'core.bin' }).waitFor()
    await pressByKey(page, page.getByRole('button', { name: 'Delete core.bin' }))
    await pressByKey(page, question.getByRole('button', { name: 'Delete' }))
    await page.getByText('No files yet').waitFor()

    await page.goto(project('webhooks'))
    await pressByKey(page, page.getByRole('button', { name: 'Create' }))
    await typeByKey(page, dialog.getByLabel('URL'), 'https://hooks.example.com/typed')
    await page.keyboard.press('Enter')
    const secret = await page.locator('[data-secret]').innerText()
    await pressByKey(page, page.getByRole('button', { name: 'I have saved it' }))
    await pressByKey(page, page.getByRole('link', { name: 'https://hooks.example.com/typed' }))
    await visitor.sees('Webhook')
    await expectGone(visitor, secret)

    await page.goto(project('settings/data'))
    await typeByKey(page, page.getByLabel('Chunks', { exact: true }), '30')
    await page.keyboard.press('Enter')
    await pressByKey(page, question.getByRole('button', { name: 'Save and delete' }))
    await page.getByRole('heading', { name: 'Current policy' }).waitFor()

    await page.goto(admin('usage'))
    await chooseByKey(page, page.getByRole('button', { name: /Period/ }), '7 days')
    await page.waitForURL(/days=7$/)
  })

  it('tokens get a longest life, and the audit log is verified', async () => {
    const { page } = await visit(organization.admin, admin('rules'))
    await chooseByKey(page, page.getByRole('button', { name: /Longest life of a token(?! that)/ }), '90 days')
    await pressByKey(page, page.getByRole('button', { name: 'Save' }))
    await page.locator('button:disabled', { hasText: 'Save' }).waitFor()

    await page.goto(admin('audit-log'))
    await pressByKey(page, page.getByRole('button', { name: 'Verify the chain' }))
    await page.getByText('The chain is intact.').waitFor()
  })
})
