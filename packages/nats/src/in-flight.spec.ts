import { describe, expect, it } from '@jest/globals'
import { InFlight } from './in-flight.js'

const named = (name: string) => ({ name })

describe('what is under way', () => {
  it('is found by its token until it is removed', () => {
    const inFlight = new InFlight<{ name: string }>()
    const [one, two] = [inFlight.add(named('one')), inFlight.add(named('two'))]
    expect(inFlight.get(one)).toEqual(named('one'))
    inFlight.remove(one)
    expect(inFlight.get(one)).toBeUndefined()
    expect(inFlight.values()).toEqual([named('two')])
    inFlight.remove(two)
    expect(inFlight.values()).toEqual([])
  })

  it('is not found by the token of what was in its place before, and not removed by it', () => {
    const inFlight = new InFlight<{ name: string }>()
    const before = inFlight.add(named('before'))
    inFlight.remove(before)
    const after = inFlight.add(named('after'))
    expect(after.split('_')[0]).toBe(before.split('_')[0])
    expect(inFlight.get(before)).toBeUndefined()
    inFlight.remove(before)
    expect(inFlight.get(after)).toEqual(named('after'))
  })

  it.each(['', '_', '0', '0_', '-1_0', '0_0 ', 'length', '__proto__', '1e9_0', 'zzzzzzzzzzzzzzzzzz_0'])(
    'is not found by a token that nobody was given: %p',
    (token) => {
      const inFlight = new InFlight<{ name: string }>()
      inFlight.add(named('one'))
      expect(inFlight.get(token)).toBeUndefined()
      inFlight.remove(token)
      expect(inFlight.values()).toEqual([named('one')])
    },
  )

  it('takes no more places than were under way at once', () => {
    const inFlight = new InFlight<{ name: string }>()
    const places = new Set<string | undefined>()
    for (let round = 0; round < 1_000; round++) {
      const tokens = [1, 2, 3].map((number) => inFlight.add(named(String(number))))
      for (const token of tokens) {
        places.add(token.split('_')[0])
        inFlight.remove(token)
      }
    }
    expect(places.size).toBe(3)
  })
})
