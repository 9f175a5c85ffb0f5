import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ERRORS, ERROR_CODES } from '@bearing/contracts/errors'
import { VERSION } from '@bearing/contracts/version'
import { describe, expect, it } from '@jest/globals'

const ROOT = join(import.meta.dirname, '..', '..')
const PAGES = join(ROOT, 'docs', 'errors')

/** The problem document that a page shows. */
function exampleOf(page: string): Record<string, unknown> {
  const json = /```json\n(.*?)```/s.exec(page)?.[1]
  if (json === undefined) throw new Error('the page has no example')
  return JSON.parse(json) as Record<string, unknown>
}

describe('pages of error codes', () => {
  it('exist for every code, and for nothing else', async () => {
    const pages = (await readdir(PAGES)).sort()
    expect(pages).toEqual(ERROR_CODES.map((code) => `${code}.md`).sort())
  })

  it.each(ERROR_CODES)('tell of %s what the gateway answers', async (code) => {
    const page = await readFile(join(PAGES, `${code}.md`), 'utf8')
    const { status, title } = ERRORS[code]
    expect(page).toContain(`# ${code}\n\n${status}: ${title}.\n`)
    for (const section of ['How it comes about', 'What to do', 'Example'])
      expect(page).toContain(`\n## ${section}\n`)
    const example = exampleOf(page)
    expect(example).toMatchObject({ code, status, title, error: { code, http_code: status } })
    expect(example['type']).toMatch(new RegExp(`^https://.+/docs/errors/${code}$`))
  })

  it('link to pages that exist', async () => {
    for (const code of ERROR_CODES) {
      const page = await readFile(join(PAGES, `${code}.md`), 'utf8')
      const linked = [...page.matchAll(/\]\((\w+)\.md\)/g)].map(([, name]) => name)
      expect(ERROR_CODES).toEqual(expect.arrayContaining(linked))
    }
  })
})

describe('version', () => {
  it('is the same in the contracts and in package.json', async () => {
    const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { version: string }
    expect(VERSION).toBe(version)
  })
})
