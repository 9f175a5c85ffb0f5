import { describe, expect, it } from '@jest/globals'
import { examplesOf } from '../session/verb.js'
import { mistakeIn } from './reference/check-line.js'
import { commandTree, leavesOf } from './reference/command-tree.js'
import { runCli } from '../testing/run-cli.js'

const program = await commandTree()
const paths = leavesOf(program).map(([path]) => path.join(' '))

describe('every command', () => {
  it('has an example', () => {
    expect(paths.length).toBeGreaterThan(100)
    expect(paths.filter((path) => examplesOf(path).length === 0)).toEqual([])
  })

  it('has examples with commands and flags that exist', () => {
    const mistakes = paths
      .flatMap(examplesOf)
      .map((example) => [example, mistakeIn(program, example.replace(/^bearing /, ''))])
      .filter(([, mistake]) => mistake !== undefined)
    expect(mistakes).toEqual([])
  })

  it('marks flags that are required', async () => {
    const { stdout } = await runCli(['org-tokens', 'create', '--help'])
    expect(stdout).toMatch(/--description <text> +purpose \(required\)/)
    expect(stdout).not.toMatch(/--expires-in .*required/)
  })

  it('shows them in its help', async () => {
    const { stdout } = await runCli(['devices', 'policy', 'set', '--help'])
    expect(stdout).toContain('Examples:\n  bearing devices policy set --retention-days 30')
  })
})
