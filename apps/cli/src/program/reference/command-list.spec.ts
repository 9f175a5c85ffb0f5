import { describe, expect, it } from '@jest/globals'
import { commandTree, leavesOf } from './command-tree.js'
import { commandList } from './command-list.js'

describe('docs/command-line-reference.md', () => {
  it('has a heading and an example for every command', async () => {
    const sections = (await commandList()).split(/^### /m)
    const without = leavesOf(await commandTree())
      .map(([path]) => `bearing ${path.join(' ')}`)
      .filter((name) => {
        const section = sections.find((text) => text.startsWith(`${name}\n`))
        return !section?.includes(`\nExamples:\n  ${name}`)
      })
    expect(without).toEqual([])
  })
})
