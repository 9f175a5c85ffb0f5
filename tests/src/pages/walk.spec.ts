import { Permission } from '@bearing/contracts/permission'
import { newMember, type TestUser } from '@bearing/testing/factories'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { DEVICE } from '../authorization/authorization-bodies.js'
import { Matrix } from '../authorization/authorization-matrix.js'
import { FakeProvider } from '../tools/fake-provider.js'
import { connect, link } from '../tools/single-sign-on.js'
import { addressOfPage, dashboardPaths } from './dashboard-pages.js'
import { describeInBrowser } from './describe-in-browser.js'
import { fillPages } from './fill-pages.js'
import { expectNarrow, expectSound, expectSoundInBoth } from './expect-sound.js'
import { differentOpeners } from './in-page.js'
import { ONLY_IF_REFUSED, serverAllows } from './server-says.js'
import type { Visitor } from './visitor.js'

/** Pages for people who are not signed in, with their headings. */
const FRONT = {
  '/sign-in': 'Sign in',
  '/sign-in?problem=sso_failed&request=r-1': 'Sign in',
  '/sign-on/switch': 'Nothing to switch to',
  '/invitation': 'The link is incomplete',
  '/password-reset': 'Set a new password',
  '/email-change': 'The link is incomplete',
} as const

const ROLES = ['admin', 'manager', 'member', 'reader', 'single sign-on'] as const
type Role = (typeof ROLES)[number]

/** The dialogs that an admin can open on each page, by how their titles start. A page that opens none is missing here. */
const PROJECT = '/o/$organization/p/$project'
const ADMIN = '/o/$organization/admin'
const DIALOGS: Readonly<Record<string, readonly string[]>> = {
  [`${PROJECT}/devices`]: ['Import devices', 'Register a device', 'Delete '],
  [`${PROJECT}/devices/$serial`]: ['Delete ', 'Rotate the key', 'Revoke the key?'],
  [`${PROJECT}/location/coverage`]: ['Fallback provider', 'Erase access points'],
  [`${PROJECT}/files`]: ['Upload a file', 'File', 'Delete '],
  [`${PROJECT}/symbols`]: ['Upload symbols', 'File', 'Delete '],
  [`${PROJECT}/webhooks`]: ['Create a webhook'],
  [`${PROJECT}/webhooks/$webhook`]: [
    'Change the webhook',
    'Rotate the secret',
    'Redeliver ',
    'Delete the webhook?',
  ],
  [`${PROJECT}/settings/general`]: ['Delete Project ', 'Delete Organization '],
  [`${PROJECT}/settings/project-key`]: ['Replace the project key'],
  [`${PROJECT}/settings/onboarding`]: ['Create an onboarding token', 'Register a CA certificate'],
  [`${PROJECT}/settings/members`]: ['Add a member to the project', 'Remove '],
  [`${PROJECT}/settings/user-api-key`]: ['Replace your API key', 'Delete your API key?'],
  [`${PROJECT}/settings/attributes`]: ['Declare an attribute', 'Delete the attribute '],
  [`${ADMIN}/tokens`]: ['Create Token', 'Rotate ', 'Delete '],
  [`${ADMIN}/trusts`]: ['Create a trust', 'Change ', 'Delete '],
  [`${ADMIN}/members`]: ['Invite a person', 'Remove ', 'Leave the organization?'],
  [`${ADMIN}/single-sign-on`]: ['Change Ours', 'Disable Ours?', 'Delete Ours?'],
  [`${ADMIN}/rules`]: ['Require a second factor?'],
  [`${ADMIN}/deletion`]: ['Delete Organization '],
  '/account': [
    'Set up an authenticator',
    'Add a passkey',
    'Replace your API key',
    'Delete your API key?',
    'Delete your account?',
  ],
}

/** Headings that stand for an error. */
const FAILED = ['There is no such page', 'There is no such organization', 'This page failed']

describeInBrowser('every page', (visit) => {
  let matrix: Matrix
  let provider: FakeProvider
  let connectionId: string
  let webhookId: string
  /** The admin who comes by single sign-on. */
  let linked: TestUser

  beforeAll(async () => {
    ;[matrix, provider] = await Promise.all([Matrix.create(), FakeProvider.start()])
    connectionId = await connect(matrix.own, provider)
    linked = await newMember(matrix.own, 'admin')
    await link(linked, connectionId)
    webhookId = await fillPages(matrix)
  })

  afterAll(() => provider.stop())

  async function arriveAs(role: Role, path = '/app/account'): Promise<Visitor> {
    const { visitor } = await visit()
    if (role === 'single sign-on') {
      await visitor.page.goto(`/auth/sso/${connectionId}/start?return_to=${path}`)
      return visitor
    }
    const credential = matrix.credentials[role === 'member' ? 'developer' : role]
    if (credential?.kind !== 'user') throw new Error(`The matrix has no user who is ${role}.`)
    await visitor.signIn({ email: credential.email, password: credential.secret }, path)
    return visitor
  }

  /** The addresses of all pages inside the shell. */
  function addresses(): string[] {
    const { slug: organization, project } = matrix.own
    const values = {
      organization,
      project: project.slug,
      serial: DEVICE,
      device: DEVICE,
      webhook: webhookId,
    }
    return dashboardPaths().map((path) => addressOfPage(path, values))
  }

  async function open(visitor: Visitor, address: string): Promise<void> {
    const { page } = visitor
    await page.goto(address)
    const heading = page.getByRole('heading', { level: 1 })
    await heading.waitFor()
    await visitor.settled()
    expect(FAILED).not.toContain(await heading.innerText())
  }

  it.each(['light', 'dark'] as const)(
    'before signing in is sound and fits a narrow screen, in %s',
    async (scheme) => {
      const { visitor } = await visit(undefined, undefined, { scheme })
      for (const [path, title] of Object.entries(FRONT)) {
        expect((await visitor.page.goto(path))?.status()).toBe(200)
        await visitor.sees(title)
        await expectSound(visitor, path)
        await expectNarrow(visitor, path)
      }
    },
  )

  // Before the roles: to compare controls with the server, they rename the organization and delete the admin's API key.
  it('opens no dialog that is not sound in light and dark, or does not fit a narrow screen', async () => {
    const visitor = await arriveAs('admin')
    const { page } = visitor
    await visitor.sees('Account')
    const opened = new Map<string, string[]>()
    for (const [index, address] of addresses().entries()) {
      await open(visitor, address)
      const path = dashboardPaths()[index] ?? ''
      const titles: string[] = []
      // The bar of selected devices has dialogs of its own.
      if (path.endsWith('/devices')) await page.getByLabel('Select all devices of this page').check()
      const openers = page.locator('main button[aria-haspopup="dialog"]:not([disabled])')
      for (const opener of await openers.evaluateAll(differentOpeners)) {
        await openers.nth(opener).click()
        const dialog = page.locator('[role="dialog"], [role="alertdialog"]')
        await dialog.waitFor().catch(async (cause: unknown) => {
          throw new Error(`${address}: "${await openers.nth(opener).innerText()}" opens nothing`, { cause })
        })
        await visitor.settled()
        const title = await dialog.getByRole('heading', { level: 2 }).first().innerText()
        const what = `${address} ${title}`
        await expectSoundInBoth(visitor, what)
        await expectNarrow(visitor, what)
        await page.keyboard.press('Escape')
        await dialog.waitFor({ state: 'detached' })
        titles.push(title)
      }
      if (titles.length > 0) opened.set(path, titles)
    }
    const missing = Object.entries(DIALOGS).flatMap(([path, starts]) =>
      starts
        .filter((start) => opened.get(path)?.some((title) => title.startsWith(start)) !== true)
        .map((start) => `${path}: ${start}`),
    )
    expect(missing).toEqual([])
    const unlisted = [...opened].flatMap(([path, titles]) =>
      titles
        .filter((title) => DIALOGS[path]?.some((start) => title.startsWith(start)) !== true)
        .map((title) => `${path}: ${title}`),
    )
    expect(unlisted).toEqual([])
  })

  it('is sound in light and dark, and fits a narrow screen', async () => {
    const visitor = await arriveAs('admin')
    await visitor.sees('Account')
    for (const address of [...addresses(), '/command-line']) {
      await open(visitor, address)
      await expectSoundInBoth(visitor, address)
      await expectNarrow(visitor, address)
    }
  })

  it.each(ROLES)('offers what the server allows, for %s', async (role) => {
    const visitor = await arriveAs(role)
    await visitor.sees('Account')
    const offered = new Map<Permission, boolean>()
    for (const address of [...addresses(), '/command-line']) {
      await open(visitor, address)
      expect(visitor.complaints).toEqual([])
      for (const [permission, isOffered] of await controlsOf(visitor)) {
        const what = `${role} ${address} ${permission}`
        expect([what, offered.get(permission) ?? isOffered]).toEqual([what, isOffered])
        offered.set(permission, isOffered)
      }
    }
    expect(offered.size).toBeGreaterThan(10)
    for (const [permission, isOffered] of offered) {
      if (isOffered && ONLY_IF_REFUSED.includes(permission)) continue
      const allowed = await serverAllows(visitor, matrix, permission)
      expect([role, permission, isOffered]).toEqual([role, permission, allowed])
    }
  })

  it('says in words what a session of single sign-on cannot do, and where to go instead', async () => {
    const { slug, project } = matrix.own
    const visitor = await arriveAs('single sign-on', `/app/o/${slug}/p/${project.slug}/settings/user-api-key`)
    const { page } = visitor
    await visitor.sees('User API Key')
    await page.getByText('A session of single sign-on cannot change the account itself.').waitFor()
    await page.getByRole('main').getByRole('link', { name: 'organization auth token' }).click()
    await visitor.sees('Organization Auth Tokens')
  })

  it('asks to sign in again over itself when the session has ended, and keeps what was typed', async () => {
    const { own } = matrix
    const user = own.admin
    const { page } = await visit(user, `/app/o/${own.slug}/admin/tokens`)
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
  })
})

/** Returns the permissions that controls of a page ask for, and whether the page offers them. */
async function controlsOf({ page }: Visitor): Promise<[Permission, boolean][]> {
  const controls = await page.locator('main [data-permission]').all()
  return Promise.all(
    controls.map(async (control): Promise<[Permission, boolean]> => [
      Permission.parse(await control.getAttribute('data-permission')),
      (await control.getAttribute('data-refused')) === null,
    ]),
  )
}
