import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { notesOf, sectionsOf, withRelease } from './changelog.js'
import { filesWithVersion, versionOf } from './version-places.js'

const CHECKOUT = join(import.meta.dirname, '..', '..', '..', '..')
const read = (path: string) => readFileSync(join(CHECKOUT, path), 'utf8')
const version = versionOf(CHECKOUT)

/** Files that name versions of something else, or of the past. */
const NOT_OURS =
  /^(pnpm-(lock|workspace)\.yaml|CHANGELOG\.md|tests\/words\.json)$|\/migrations\/|^deploy\/local\/src\/release\//

describe('the version', () => {
  const files = filesWithVersion(CHECKOUT, version)

  it('is that of package.json everywhere', () => {
    expect(files.size).toBeGreaterThan(25)
    for (const [path, text] of files) expect([path, read(path) === text]).toEqual([path, true])
  })

  it('stands in no file that `pnpm release:version` leaves out', () => {
    const pattern = String.raw`(^|[^0-9.])${version.replaceAll('.', String.raw`\.`)}($|[^0-9.]|\.[^0-9])`
    const named = execFileSync('git', ['grep', '--untracked', '-IlE', pattern], {
      cwd: CHECKOUT,
      encoding: 'utf8',
    })
    const found = named.split('\n').filter((path) => path !== '' && !NOT_OURS.test(path))
    expect(found.toSorted()).toEqual([...files.keys()].toSorted())
  })

  it('is replaced everywhere, and once', () => {
    for (const [path, text] of filesWithVersion(CHECKOUT, '9.8.7')) {
      expect([path, text]).toEqual([path, expect.stringContaining('9.8.7')])
      expect([path, text.replaceAll('9.8.7', version)]).toEqual([path, read(path)])
    }
  })
})

describe('CHANGELOG.md', () => {
  const sections = sectionsOf(read('CHANGELOG.md'))

  it('has what is unreleased first, then versions with dates, newest first', () => {
    expect(sections[0]?.title).toBe('Unreleased')
    const dates = sections.slice(1).map(({ title, text }) => {
      expect(title).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)? \(\d{4}-\d\d-\d\d\)$/)
      expect(text).not.toBe('')
      return title.slice(title.indexOf('('))
    })
    expect(dates).toEqual(dates.toSorted().toReversed())
  })

  it('gets a section for a version that is released, and keeps an empty one for the next', () => {
    const before = '# Changelog\n\n## Unreleased\n\n- News.\n\n## 0.1.0 (2026-11-01)\n\n- Old.\n'
    const after = withRelease(before, '0.2.0', '2026-12-01')
    expect(sectionsOf(after)).toEqual([
      { title: 'Unreleased', text: '' },
      { title: '0.2.0 (2026-12-01)', text: '- News.' },
      { title: '0.1.0 (2026-11-01)', text: '- Old.' },
    ])
    expect(notesOf(after, '0.2.0')).toBe('- News.')
    expect(() => notesOf(before, '0.2.0')).toThrow('release:version 0.2.0')
    expect(() => withRelease(after, '0.3.0', '2026-12-02')).toThrow('nothing under "Unreleased"')
    expect(() => withRelease(before, '0.1.0', '2026-12-02')).toThrow('already has a section')
  })
})
