import { newMember, newOrganization } from '@bearing/testing/factories'
import { forSuite } from '@bearing/testing/for-suite'
import { expect, it } from '@jest/globals'
import { describeInBrowser } from './describe-in-browser.js'
import { expectNarrow, expectSoundInBoth } from './expect-sound.js'

const SECTIONS = [
  'Home',
  'Devices',
  'Location',
  'Files',
  'Webhooks',
  'Project Settings',
  'Admin',
  'Account',
] as const

describeInBrowser('the navigation', (visit) => {
  const organization = forSuite(() => newOrganization())
  const project = (path: string) => `/app/o/${organization.slug}/p/${organization.project.slug}/${path}`

  it.each([
    { width: 1440, height: 900 },
    { width: 1366, height: 768 },
    { width: 768, height: 1024 },
  ])('shows eight entries without scrolling, on every page, at $width × $height', async (size) => {
    const { visitor, page } = await visit()
    await page.setViewportSize(size)
    await visitor.signIn(organization.admin, project('settings/general'))
    await visitor.sees('General')
    for (const address of [project('settings/general'), '/app/account']) {
      await page.goto(address)
      await page.getByRole('heading', { level: 1 }).waitFor()
      const links = page.getByRole('navigation', { name: 'Pages' }).getByRole('link')
      await links.nth(SECTIONS.length - 1).waitFor()
      expect(await links.allInnerTexts()).toEqual(SECTIONS)
      for (const link of await links.all()) {
        const box = await link.boundingBox()
        expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThanOrEqual(size.height)
      }
    }
  })

  it('leads to each page by the words that people know it by', async () => {
    const { visitor, page } = await visit(organization.admin, '/app/account')
    await visitor.sees('Account')
    const follow = async (section: (typeof SECTIONS)[number], title: string) => {
      await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: section }).click()
      await page.getByRole('navigation', { name: section }).getByRole('link', { name: title }).click()
      await visitor.sees(title)
    }
    await follow('Project Settings', 'General')
    await follow('Project Settings', 'User API Key')
    await follow('Location', 'Coverage')
    await follow('Admin', 'Organization Auth Tokens')
    await page.getByRole('button', { name: 'Create Token' }).waitFor()
    await page.getByRole('navigation', { name: 'Admin' }).getByRole('link', { name: 'Security' }).click()
    await visitor.sees('Single sign-on')
    await page.getByRole('navigation', { name: 'Security' }).getByRole('link', { name: 'Rules' }).click()
    await visitor.sees('Rules')
    await expectSoundInBoth(visitor, 'two levels of tabs')
    await expectNarrow(visitor, 'two levels of tabs')
  })

  it('creates a project and an organization from the switcher, by keyboard, and switches between them', async () => {
    const { visitor, page } = await visit(organization.admin, '/app/account')
    await visitor.sees('Account')
    const switcher = page.getByRole('button', { name: /^Organization and project/ })
    const choose = async (name: string) => {
      await switcher.focus()
      await page.keyboard.press('Enter')
      const item = page.getByRole('menuitem', { name }).first()
      await item.waitFor()
      await expectSoundInBoth(visitor, 'the switcher')
      await page.keyboard.type(name)
      await page.keyboard.press('Enter')
    }
    const dialog = page.getByRole('dialog')
    await choose('New project')
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Sensors')
    await expectSoundInBoth(visitor, 'a new project')
    await expectNarrow(visitor, 'a new project')
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/o/${organization.slug}/p/sensors/settings/project-key`)
    await visitor.sees('Project Key')

    await choose('New organization')
    const name = `${organization.slug}-second`
    await dialog.getByRole('textbox', { name: 'Name' }).fill(name)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'New project' }).waitFor()
    await dialog.getByRole('textbox', { name: 'Name' }).fill('First')
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/o/${name}/p/first/settings/project-key`)

    await choose(organization.name)
    await page.waitForURL(`**/o/${organization.slug}`)
    await choose('Sensors')
    await page.waitForURL(`**/o/${organization.slug}/p/sensors/devices`)
  })

  it('offers a member no new project', async () => {
    const { visitor, page } = await visit()
    const member = await newMember(organization, 'member', [
      { project: organization.project, role: 'reader' },
    ])
    await visitor.signIn(member, project('settings/general'))
    await visitor.sees('General')
    await page.getByRole('button', { name: /^Organization and project/ }).click()
    const item = page.getByRole('menuitem', { name: 'New project' })
    expect(await item.getAttribute('aria-disabled')).toBe('true')
  })
})
