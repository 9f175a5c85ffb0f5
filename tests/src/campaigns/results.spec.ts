import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from '@jest/globals'
import { lineOf, withResults } from './results.js'
import { ROOT } from '../tools/root.js'

it('docs/reliability.md has the results of tests/campaigns', () => {
  const page = readFileSync(join(ROOT, 'docs', 'reliability.md'), 'utf8')
  const squeeze = (text: string) =>
    text
      .replaceAll(/[ \t]+/g, ' ')
      .replaceAll(/-+/g, '-')
      .replaceAll(/\n+/g, '\n')
  expect(squeeze(withResults(page, join(ROOT, 'tests', 'campaigns')))).toBe(squeeze(page))
  expect(page).toMatch(/npx pnpm campaign hosts/)
})

it('a row shows what a campaign did not count as a dash, and a missed bar in bold', () => {
  const row = { what: 'a kill', times: 1_200, lost: 1, seen: 'one chunk lost', bar: 'none lost', held: false }
  expect(lineOf(row)).toBe('| a kill | 1,200 | – | 1 | – | – | one chunk lost | none lost | **no** |')
})
