import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ERROR_CODES } from '@bearing/contracts/errors'
import { testStack } from '@bearing/testing/stack'
import { expect, it, describe } from '@jest/globals'
import { send } from '../tools/http.js'
import { describeInBrowser } from './describe-in-browser.js'
import { expectNarrow, expectSoundInBoth } from './expect-sound.js'
import { clipboardOf } from './in-page.js'
import { ROOT } from '../tools/root.js'

const DOCS = join(ROOT, 'docs')
const markdownOf = (folder: string) =>
  readdirSync(join(DOCS, folder)).filter((name) => name.endsWith('.md') && name !== 'README.md')
const namesIn = (folder: string) => markdownOf(folder).map((name) => join(folder, name.replace(/\.md$/, '')))
/** Those of the API reference are made by the build. */
const API_PAGES = readdirSync(join(ROOT, 'apps', 'docs', 'dist', 'pages', 'api'))
  .filter((name) => name.endsWith('.html'))
  .map((name) => `api/${name.replace(/\.html$/, '')}`)
/** The paths of all pages. */
const PAGES = [
  '',
  'api',
  'errors',
  'decisions',
  ...API_PAGES,
  ...['', 'errors', 'decisions'].flatMap(namesIn),
].map((name) => (name === '' ? '/docs' : `/docs/${name}`))
/** One of each kind: the index, tables, code, pictures, a series and its pages. */
const SHOWN = [
  '/docs',
  '/docs/api',
  '/docs/api/location',
  '/docs/configuration',
  '/docs/internal-services',
  '/docs/dashboard',
  '/docs/architecture',
  '/docs/errors',
  '/docs/errors/overloaded',
  '/docs/decisions',
  '/docs/decisions/0003-declare-all-routes-in-the-contracts',
]
const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

const gateway = () => testStack().gatewayUrls[0] ?? ''
const read = (path: string, headers: Record<string, string> = BROWSER) =>
  send(gateway(), 'GET', path, { headers })

describe('the documentation', () => {
  it('lists every page in its index, which gives the order of the navigation', async () => {
    const index = readFileSync(join(DOCS, 'README.md'), 'utf8')
    const unlisted = markdownOf('').filter((name) => !index.includes(`](${name})`))
    expect(unlisted).toEqual([])
    const listed = [...index.matchAll(/^- \[([^\]]+)\]/gm)].map(([, title]) => title)
    const { text } = await read('/docs/limits')
    const navigation = /<nav class="navigation".*?<\/nav>/s.exec(text)?.[0] ?? ''
    const shown = [...navigation.matchAll(/<a [^>]*>([^<]+)<\/a>/g)].map(([, title]) => title)
    expect(shown.filter((title) => title !== 'API reference')).toEqual(listed)
    expect(navigation).toContain('<a href="/docs/limits" aria-current="page">')
  })

  it('has pages whose links, anchors, pictures and files all lead somewhere', async () => {
    const pages = new Map<string, string>()
    for (const path of PAGES) {
      const { status, headers, text } = await read(path)
      expect([path, status, headers.get('content-type')]).toEqual([path, 200, 'text/html; charset=utf-8'])
      pages.set(path, text)
    }
    const idsOf = (path: string) =>
      new Set([...(pages.get(path) ?? '').matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
    const others = new Set<string>()
    const broken: string[] = []
    for (const [path, text] of pages) {
      const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
      expect([path, ids.length]).toEqual([path, new Set(ids).size])
      for (const [, link = ''] of text.matchAll(/ (?:href|src)="([^"]+)"/g)) {
        if (/^(https?|mailto):/.test(link)) continue
        const url = new URL(link, `http://gateway${path}`)
        if (!pages.has(url.pathname)) others.add(url.pathname)
        else if (url.hash !== '' && !idsOf(url.pathname).has(decodeURIComponent(url.hash.slice(1))))
          broken.push(`${path}: ${link}`)
      }
    }
    for (const path of others) if ((await read(path)).status !== 200) broken.push(path)
    expect(broken).toEqual([])
  })

  it('has a title, a description and no script or style inside of each page', async () => {
    const titles = new Set<string>()
    for (const path of PAGES) {
      const { text } = await read(path)
      titles.add(/<title>([^<]+)<\/title>/.exec(text)?.[1] ?? '')
      expect([path, /<meta name="description" content="[^"]{10,}"/.test(text)]).toEqual([path, true])
      expect([path, /<style|<script(?! type="module" src)| style="|<!--/.exec(text)?.[0]]).toEqual([
        path,
        undefined,
      ])
    }
    expect(titles.size).toBe(PAGES.length)
  })

  it('is Markdown for programs, whose links lead to pages too', async () => {
    for (const path of PAGES) {
      const { status, headers, text } = await read(path, { accept: '*/*' })
      expect([path, status, headers.get('content-type')]).toEqual([path, 200, 'text/markdown; charset=utf-8'])
      expect(headers.get('vary')).toContain('accept')
      const prose = text.replaceAll(/^```.*?^```/gms, '').replaceAll(/`[^`\n]*`/g, '')
      const relative = [...prose.matchAll(/\]\((?!https?:|mailto:|\/docs|#)([^)\s]+)\)/g)]
      expect([path, relative.map(([, link]) => link)]).toEqual([path, []])
    }
    const { text } = await read('/docs/limits', {})
    expect(text).toMatch(/^# Limits\n/)
  })

  it('has a page for each error code, where the type of a problem leads', async () => {
    const { text } = await read('/docs/errors', {})
    for (const code of ERROR_CODES) expect(text).toContain(`(/docs/errors/${code})`)
  })

  it('answers what is not there with a page to browsers, and with a problem to programs', async () => {
    const page = await read('/docs/there/is/nothing')
    expect(page).toMatchObject({ status: 404, text: expect.stringContaining('There is no such page') })
    for (const path of ['/docs/nothing', '/docs/..%2ffiles.json', '/docs/limits.html', '/docs/files.json'])
      expect(await read(path, {})).toMatchObject({ status: 404, json: { code: 'route_not_found' } })
  })

  it('is sent compressed and once, under a policy without exceptions', async () => {
    const { headers, text } = await read('/docs/limits/?from=elsewhere')
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'")
    expect(policy).toContain("require-trusted-types-for 'script'")
    expect(policy).not.toContain('unsafe')
    const again = await read('/docs/limits', { ...BROWSER, 'if-none-match': headers.get('etag') ?? '' })
    expect([again.status, again.text]).toEqual([304, ''])
    const [style = ''] = /\/docs\/assets\/\w+\/site\.css/.exec(text) ?? []
    for (const [path, encoding] of [
      ['/docs/limits', 'br'],
      ['/docs/limits', 'gzip'],
      [style, 'br'],
    ] as const) {
      const response = await fetch(gateway() + path, { headers: { ...BROWSER, 'accept-encoding': encoding } })
      expect([path, response.headers.get('content-encoding')]).toEqual([path, encoding])
      expect(await response.text()).toContain(path === style ? '--accent' : '<h1>Limits</h1>')
    }
    expect((await read(style)).headers.get('cache-control')).toContain('immutable')
  })
})

describeInBrowser('the documentation in a browser', (visit) => {
  it.each(SHOWN)('%s is sound in light and dark, and fits a narrow screen', async (path) => {
    const { visitor } = await visit()
    await visitor.page.goto(path)
    await expectSoundInBoth(visitor, path)
    await expectNarrow(visitor, path)
  })

  it('fits a narrow screen on every page, and breaks no rule of its policy', async () => {
    const { visitor } = await visit(undefined, undefined, { width: 320, height: 800 })
    for (const path of PAGES) {
      await visitor.page.goto(path, { waitUntil: 'domcontentloaded' })
      await expectNarrow(visitor, path)
    }
  })

  it('is searched with the keyboard', async () => {
    const { visitor, page } = await visit()
    await page.goto('/docs')
    const input = page.getByRole('combobox', { name: 'Search' })
    const chosen = page.getByRole('option', { selected: true })
    await page.keyboard.press('/')
    await input.pressSequentially('quota')
    await page.getByRole('option').nth(2).waitFor()
    const [first, second] = await page.getByRole('option').allTextContents()
    expect(await chosen.textContent()).toBe(first)
    await page.keyboard.press('ArrowDown')
    expect(await chosen.textContent()).toBe(second)
    await page.keyboard.press('ArrowUp')
    await expectSoundInBoth(visitor, 'search')
    await page.keyboard.press('Escape')
    await input.waitFor({ state: 'hidden' })
    await page.keyboard.press('Control+k')
    // Words are found by their beginning, and with a letter too much.
    for (const query of ['organization_not_fou', 'organizaton_not_found']) {
      await input.fill(query)
      await page.getByRole('option', { name: 'organization_not_found' }).first().waitFor()
    }
    await input.fill('error budget objective')
    await page
      .getByRole('option', { name: /^Service level objectives/ })
      .first()
      .waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/docs\/monitoring#service-level-objectives$/)
    await visitor.sees('Monitor')
  })

  it('shows what readers look for before decisions and error codes', async () => {
    const { page } = await visit()
    await page.goto('/docs')
    await page.keyboard.press('/')
    const first = page.getByRole('option').first()
    for (const [query, result] of [
      ['upgrade', 'Upgrading'],
      ['rotating secrets', 'Revoke and rotate secrets'],
      ['limit', 'Limits'],
      ['webhook', 'Webhooks'],
      ['single sign-on', 'Single sign-on'],
      ['rate_limited', 'rate_limited'],
      ['backup', 'Backup and restore'],
      ['zqxj', 'Nothing found'],
    ] as const) {
      await page.getByRole('combobox').fill(query)
      if (query === 'zqxj') await page.getByText(result).waitFor()
      else await first.getByText(result, { exact: true }).first().waitFor()
    }
  })

  it('copies commands, opens its menu on narrow screens, and leads from page to page', async () => {
    const { visitor, page } = await visit(undefined, undefined, { width: 390, height: 800 })
    await page.goto('/docs/command-line')
    const block = page.locator('.code').first()
    await block.getByRole('button', { name: 'Copy' }).click()
    await block.getByRole('button', { name: 'Copied' }).waitFor()
    expect(await page.evaluate(clipboardOf)).toBe((await block.locator('code').textContent())?.trimEnd())
    const menu = page.getByRole('button', { name: 'Menu' })
    const navigation = page.getByRole('navigation', { name: 'Documentation' })
    await navigation.waitFor({ state: 'hidden' })
    await menu.click()
    await navigation.getByRole('link', { name: 'Limits' }).click()
    await visitor.sees('Limits')
    await page.getByRole('link', { name: /^Next/ }).click()
    await visitor.sees('Errors')
  })
})
