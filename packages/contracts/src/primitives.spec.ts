import { describe, expect, it } from '@jest/globals'
import { createOrganizationToken } from './identity/organization-token.js'
import { Name } from './primitives.js'

describe('a name for people', () => {
  it('may be in any script, with emoji', () => {
    for (const name of ['Fleet 7', 'حافلات', 'צי רכב', 'Flotte Zürich', '車両', '🚌 buses'])
      expect(Name.parse(name)).toBe(name)
  })

  it('contains neither control characters nor controls of text direction', () => {
    for (const code of [0x0a, 0x1b, 0x7f, 0x85, 0x61c, 0x200e, 0x200f, 0x202a, 0x202e, 0x2066, 0x2069]) {
      const name = `Fleet${String.fromCodePoint(code)}7`
      expect([code, Name.safeParse(name).success]).toEqual([code, false])
      const { success } = createOrganizationToken.input.shape.description.safeParse(name)
      expect([code, success]).toEqual([code, false])
    }
  })
})
