import { newMember, newOrganization, type TestOrganization, type TestUser } from '@bearing/testing/factories'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type { Browser } from 'playwright-core'
import { launchChromium } from './chromium.js'
import { describeInBrowser } from './describe-in-browser.js'
import { expectNarrow, expectSound } from './expect-sound.js'
import { Visitor } from './visitor.js'

/** Pages for people who are not signed in, with their headings. */
const FRONT = {
  '/sign-in': 'Sign in',
  '/sign-in?problem=sso_failed&request=r-1': 'Sign in',
  '/sign-on/switch': 'Nothing to switch to',
  '/invitation': 'The link is incomplete',
  '/password-reset': 'Set a new password',
} as const

/** Pages inside the shell, with their headings. */
const INSIDE = {
  '/app/account': 'Account',
  '/app/o/:o/admin/tokens': 'Organization Auth Tokens',
  '/app/o/:o/admin/members': 'Members',
  '/app/o/:o/p/:p/settings/general': 'General',
  '/app/o/:o/p/:p/settings/project-key': 'Project Key',
  '/app/o/:o/p/:p/settings/user-api-key': 'User API Key',
  '/app/o/:o/p/:p/none': 'There is no such page',
} as const

describeInBrowser('every page', () => {
  let browser: Browser
  let organization: TestOrganization
  const roles: Record<string, TestUser> = {}

  beforeAll(async () => {
    ;[browser, organization] = await Promise.all([launchChromium(), newOrganization()])
    const { project } = organization
    roles['admin'] = organization.admin
    for (const role of ['manager', 'member', 'reader'] as const)
      roles[role] = await newMember(organization, 'member', [{ project, role }])
  })

  afterAll(() => browser.close())

  it.each(['light', 'dark'] as const)(
    'before signing in is sound and fits a narrow screen, in %s',
    async (scheme) => {
      const visitor = await Visitor.arrive(browser, { scheme })
      for (const [path, title] of Object.entries(FRONT)) {
        expect((await visitor.page.goto(path))?.status()).toBe(200)
        await visitor.sees(title)
        await expectSound(visitor, path)
        await expectNarrow(visitor, path)
      }
      await visitor.leave()
    },
  )

  it.each([
    ['admin', 'light'],
    ['admin', 'dark'],
    ['manager', 'dark'],
    ['member', 'light'],
    ['reader', 'dark'],
  ] as const)('is sound and fits a narrow screen for a %s in %s', async (role, scheme) => {
    const visitor = await Visitor.arrive(browser, { scheme })
    const { page } = visitor
    await visitor.signIn(roles[role] ?? organization.admin, '/app/account')
    await visitor.sees('Account')
    for (const [path, title] of Object.entries(INSIDE)) {
      await page.goto(path.replace(':o', organization.slug).replace(':p', organization.project.slug))
      await visitor.sees(title)
      await page.waitForLoadState('networkidle')
      await expectSound(visitor, `${role} ${path}`)
      await expectNarrow(visitor, `${role} ${path}`)
    }
    await visitor.leave()
  })

  it('asks to sign in again over itself when the session has ended, and keeps what was typed', async () => {
    const visitor = await Visitor.arrive(browser)
    const { page } = visitor
    const user = organization.admin
    await visitor.signIn(user, `/app/o/${organization.slug}/admin/tokens`)
    await page.getByRole('button', { name: 'Create Token' }).click()
    await page.getByRole('textbox', { name: 'Description' }).fill('Typed before')
    await user.client.call('endOtherSessions', {})
    await page.getByRole('dialog').getByRole('button', { name: 'Create Token' }).click()
    await page.getByRole('heading', { name: 'Your session has ended' }).waitFor()
    await page.getByLabel('Password').fill(user.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('heading', { name: 'Your session has ended' }).waitFor({ state: 'detached' })
    expect(await page.getByRole('textbox', { name: 'Description' }).inputValue()).toBe('Typed before')
    await page.getByRole('dialog').getByRole('button', { name: 'Create Token' }).click()
    await page.locator('[data-secret]').waitFor()
    await visitor.leave()
  })
})
