import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { commandTree, leavesOf } from './command-tree.js'
import { referencePage } from './reference-page.js'

const PAGE = join(import.meta.dirname, '..', '..', '..', '..', '..', 'docs', 'command-line-reference.md')

describe('docs/command-line-reference.md', () => {
  it('is what `npx pnpm generate` writes', async () => {
    expect(await readFile(PAGE, 'utf8')).toBe(await referencePage())
  })

  it('has a heading and an example for every command', async () => {
    const sections = (await referencePage()).split(/^### /m)
    const without = leavesOf(await commandTree())
      .map(([path]) => `bearing ${path.join(' ')}`)
      .filter((name) => {
        const section = sections.find((text) => text.startsWith(`${name}\n`))
        return !section?.includes(`\nExamples:\n  ${name}`)
      })
    expect(without).toEqual([])
  })
})
