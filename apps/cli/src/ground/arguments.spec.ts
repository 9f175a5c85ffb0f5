import { describe, expect, it } from '@jest/globals'
import { commandTree, leavesOf } from '../program/reference/command-tree.js'
import { UsageError } from './usage-error.js'

/** Arguments of this kind that are no UUIDs: peppers have short names. */
const OTHER = 'admin peppers '

const ARGUMENTS = leavesOf(await commandTree()).flatMap(([path, command]) =>
  command.registeredArguments
    .filter((argument) => /(?:^|\s)id$/.test(argument.name()))
    .map((argument) => [path.join(' '), argument] as const),
)

describe('arguments that are ids', () => {
  it.each(ARGUMENTS.filter(([path]) => !path.startsWith(OTHER)))(
    'of "%s" are refused before anything is sent if they are malformed, and not repeated',
    (_, argument) => {
      const parse = (text: string): unknown => argument.parseArg?.(text, undefined)
      expect(() => parse('brgo_secret')).toThrow(UsageError)
      expect(() => parse('brgo_secret')).not.toThrow(/secret/)
      const id = '0199c0de-7c1f-7d5e-9f0a-2f6b8a3d4e51'
      expect(parse(id)).toBe(id)
    },
  )

  it('are found in the tree', () => {
    expect(ARGUMENTS.length).toBeGreaterThan(20)
  })
})
