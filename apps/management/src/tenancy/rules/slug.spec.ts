import { Slug } from '@bearing/contracts/primitives'
import { describe, expect, it } from '@jest/globals'
import { slugCandidates, slugOf, slugWithSuffix } from './slug.js'

describe('a slug made from a name', () => {
  it.each([
    ['Acme', 'acme'],
    ['Café  Möller & Co.', 'cafe-moller-co'],
    ['  --Smørrebrød Straße--  ', 'smorrebrod-strasse'],
    ['İstanbul ıÇ', 'istanbul-ic'],
    ["Ann's Robots", 'anns-robots'],
    ['ﬁne №5', 'fine-no5'],
    ['x'.repeat(100), 'x'.repeat(64)],
    [`${'x'.repeat(63)} y`, 'x'.repeat(63)],
  ])('of %j is %j', (name, slug) => {
    expect(slugOf(name)).toBe(slug)
    expect(Slug.safeParse(slug).success).toBe(true)
  })

  it.each(['東京', '🚀', '---', '…'])('of %j is none', (name) => expect(slugOf(name)).toBeUndefined())

  it('gets an ending that fits', () => {
    expect(slugWithSuffix('acme', '2')).toBe('acme-2')
    for (const slug of slugCandidates('x'.repeat(64))) expect(Slug.safeParse(slug).success).toBe(true)
    expect(slugCandidates('acme').slice(0, 3)).toEqual(['acme', 'acme-2', 'acme-3'])
    expect(slugWithSuffix(`${'x'.repeat(60)}-yyy`, '10')).toBe(`${'x'.repeat(60)}-10`)
  })
})
