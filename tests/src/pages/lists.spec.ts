import { newOrganization } from '@bearing/testing/factories'
import { forSuite } from '@bearing/testing/for-suite'
import { beforeAll, expect, it } from '@jest/globals'
import type { Page } from 'playwright-core'
import { queryIdentity } from '../tools/audited.js'
import { describeInBrowser } from './describe-in-browser.js'
import { expectSound } from './expect-sound.js'
import { pressByKey } from './keyboard.js'

/** More than one page of each list that has pages. */
const MANY = 55

/** A list: where it is, what somebody does there, and how it looks afterwards. */
interface List {
  readonly path: string
  readonly title: string
  readonly narrow: (page: Page) => Promise<void>
  /** Shown only after that. */
  readonly shows: string | RegExp
  /** The parameters of the URL that keep it. */
  readonly search: string
}

const search =
  (label: string, text: string): List['narrow'] =>
  async (page) => {
    await page.getByRole('searchbox', { name: label }).fill(text)
  }
const choose =
  (label: RegExp, option: string): List['narrow'] =>
  async (page) => {
    await page.getByRole('main').getByRole('button', { name: label }).first().click()
    await page.getByRole('option', { name: option, exact: true }).click()
  }
const turn: List['narrow'] = (page) => page.getByRole('button', { name: 'Next', exact: true }).click()

const ADMIN: readonly List[] = [
  {
    path: 'tokens',
    title: 'Organization Auth Tokens',
    narrow: search('Search', 'second'),
    shows: '1 token',
    search: '?q=second',
  },
  { path: 'members', title: 'Members', narrow: turn, shows: 'Page 2 of 2', search: '?page=2' },
  {
    path: 'audit-log',
    title: 'Audit log',
    narrow: choose(/About/, 'Auth tokens'),
    shows: /^\d+ events?$/,
    search: '?action=organization_token',
  },
  { path: 'usage', title: 'Usage', narrow: choose(/Period/, '7 days'), shows: 'Requests', search: '?days=7' },
]
const PROJECT: readonly List[] = [
  {
    path: 'devices',
    title: 'Devices',
    narrow: search('Serial number starts with', 'LIST-01'),
    shows: '10 devices',
    search: '?q=LIST-01',
  },
  {
    path: 'files',
    title: 'Files',
    narrow: search('Serial number', 'NONE-1'),
    shows: 'No file matches.',
    search: '?device=NONE-1',
  },
  {
    path: 'symbols',
    title: 'Symbols',
    narrow: search('Software version', '9.9.9'),
    shows: 'No symbols have this version.',
    search: '?version=9.9.9',
  },
  {
    path: 'settings/members',
    title: 'Project Members',
    narrow: turn,
    shows: 'Page 2 of 2',
    search: '?page=2',
  },
]

describeInBrowser('a list', (visit) => {
  const organization = forSuite(() => newOrganization())

  beforeAll(async () => {
    const { id, slug, project, token, admin } = organization
    for (const description of ['The first one', 'The second one'])
      await admin.client.call('createOrganizationToken', { organization: slug, description })
    await token.client.call('importDevices', {
      ...{ organization: slug, project: project.slug },
      devices: Array.from({ length: MANY }, (_, n) => ({
        device_serial: `LIST-${String(n).padStart(3, '0')}`,
      })),
    })
    await queryIdentity(
      `WITH added AS (
         INSERT INTO users (id, email, created_at)
         SELECT gen_random_uuid(), 'list-' || n || '-' || $2 || '@example.com', now() FROM generate_series(1, $4::integer) n
         RETURNING id), joined AS (
         INSERT INTO memberships (user_id, organization_id, role) SELECT id, $1, 'member' FROM added RETURNING user_id)
       INSERT INTO project_members (user_id, organization_id, project_id, role)
       SELECT user_id, $1, $3, 'reader' FROM joined`,
      [id, slug, project.id, MANY],
    )
  })

  it('is ordered by the head of a column as a whole, not page by page, by keyboard too', async () => {
    const { slug, admin } = organization
    const { visitor, page } = await visit(admin, `/app/o/${slug}/admin/members`)
    await visitor.sees('Members')
    const { data } = await admin.client.call('listMembers', { organization: slug, per_page: 1_000 })
    const emails = data
      .map(({ email }) => email)
      .toSorted((one, other) => one.localeCompare(other, undefined, { numeric: true }))
    const head = page.getByRole('columnheader', { name: 'Email address' }).first()
    const first = () => page.getByRole('rowheader').first().innerText()
    const order = () => head.getAttribute('aria-sort')
    await pressByKey(page, head.getByRole('button'))
    expect([await order(), await first()]).toEqual(['ascending', expect.stringContaining(emails[0] ?? '?')])
    await expectSound(visitor, 'a list in order')
    await page.keyboard.press('Enter')
    expect([await order(), await first()]).toEqual([
      'descending',
      expect.stringContaining(emails.at(-1) ?? '?'),
    ])
    await page.keyboard.press('Enter')
    expect(await order()).toBeNull()
  })

  it.each([
    ['of an organization', ADMIN],
    ['of a project', PROJECT],
  ] as const)('%s keeps what was chosen in the URL, over Back and a reload', async (of, lists) => {
    const { slug, project, admin } = organization
    const base = `/app/o/${slug}/${of === 'of a project' ? `p/${project.slug}` : 'admin'}`
    const { visitor, page } = await visit(admin, `/app/o/${slug}`)
    await visitor.sees('Home')
    for (const { path, title, narrow, shows, search: kept } of lists) {
      const isThere = () => page.getByRole('main').getByText(shows, { exact: true }).first().waitFor()
      const address = () => new URL(page.url()).pathname + new URL(page.url()).search
      await page.goto(`${base}/${path}`)
      await visitor.sees(title)
      await narrow(page)
      await page.waitForURL((url) => url.search === kept)
      await isThere()
      await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: /^Home/ }).click()
      await visitor.sees('Home')
      await page.goBack()
      await visitor.sees(title)
      await isThere()
      expect(address()).toBe(`${base}/${path}${kept}`)
      await page.reload()
      await visitor.sees(title)
      await isThere()
      expect(address()).toBe(`${base}/${path}${kept}`)
    }
  })
})
