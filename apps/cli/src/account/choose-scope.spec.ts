import { expect, it } from '@jest/globals'
import { choose } from './choose-scope.js'

const CHOICES = [
  { slug: 'acme', name: 'Acme' },
  { slug: 'globex', name: 'Globex \u001b[31m' },
]

function terminal(answers: readonly string[], isTTY = true, forPrograms = false) {
  const said: string[] = []
  const left = [...answers]
  const output = { forPrograms, say: (text: string) => void said.push(text), paint: (text: string) => text }
  return {
    said,
    left,
    terminal: { stdin: { isTTY } },
    output,
    ask: () => Promise.resolve(left.shift() ?? ''),
  }
}

it('takes the only choice, and none if there is none, without asking', async () => {
  const asked = terminal(['2'])
  expect(await choose(asked, 'project', CHOICES.slice(0, 1))).toBe('acme')
  expect(await choose(asked, 'project', [])).toBeUndefined()
  expect([asked.said, asked.left]).toEqual([[], ['2']])
})

it('accepts a number or a slug, asks again after anything else, and takes none for an empty line', async () => {
  expect(await choose(terminal(['2']), 'project', CHOICES)).toBe('globex')
  expect(await choose(terminal(['0', '3', 'initech', 'acme']), 'project', CHOICES)).toBe('acme')
  expect(await choose(terminal(['']), 'project', CHOICES)).toBeUndefined()
})

it('shows names without control characters', async () => {
  const asked = terminal(['1'])
  await choose(asked, 'organization', CHOICES)
  expect(asked.said[0]).toBe('Which organization?')
  expect(asked.said.join('')).not.toContain('\u001b')
})

it.each([
  [false, false],
  [true, true],
])(
  'does not ask without a terminal or with --json (terminal: %s, --json: %s)',
  async (isTTY, forPrograms) => {
    expect(await choose(terminal(['1'], isTTY, forPrograms), 'project', CHOICES)).toBeUndefined()
  },
)
