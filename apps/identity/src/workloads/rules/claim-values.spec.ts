import { describe, expect, it } from '@jest/globals'
import { claimAt, hasClaims, matchesValue } from './claim-values.js'

describe('a required claim', () => {
  it('is found in objects, and under names with a slash', () => {
    const claims = {
      'kubernetes.io': { namespace: 'prod', serviceaccount: { uid: 'u1' } },
      'https://a/b': 1,
      list: ['a'],
    }
    expect(claimAt(claims, 'kubernetes.io/serviceaccount/uid')).toBe('u1')
    expect(claimAt(claims, 'https:~1~1a~1b')).toBe('1')
    for (const path of ['list', 'list/0', 'kubernetes.io', 'constructor', '__proto__', 'toString/name', ''])
      expect([path, claimAt(claims, path)]).toEqual([path, undefined])
  })

  it.each([
    ['refs/heads/main', 'refs/heads/main', true],
    ['refs/heads/main2', 'refs/heads/main', false],
    ['refs/heads/release-1', 'refs/heads/release-*', true],
    ['refs/heads/release-', 'refs/heads/release-*', true],
    ['refs/heads/release-1/x', 'refs/heads/release-*', false],
    ['refs/tags/heads/release-1', 'refs/*/release-1', false],
    ['repo:acme/x:ref:refs/heads/main', 'repo:acme/*:ref:refs/heads/main', true],
    ['repo:acme/x:evil:ref:refs/heads/main', 'repo:acme/*:ref:refs/heads/main', false],
    ['aXbXc', 'a*b*c', true],
    ['abc', 'a*b*b*c', false],
    ['aba', 'ab*ba', false],
    ['', '*', true],
  ])('%s is %s: %s', (text, pattern, expected) => {
    expect(matchesValue(text, pattern)).toBe(expected)
  })

  it('takes no more time for long values and many stars', () => {
    const began = performance.now()
    expect(matchesValue('a'.repeat(16_000), 'a*a*a*a*b')).toBe(false)
    expect(performance.now() - began).toBeLessThan(100)
  })

  it('is missing for a token that lacks it', () => {
    expect(hasClaims({ a: '1' }, { a: '1' })).toBe(true)
    expect(hasClaims({}, { a: '*' })).toBe(false)
    expect(hasClaims({ a: null }, { a: 'null' })).toBe(false)
  })
})
