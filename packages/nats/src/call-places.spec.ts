import type { Principal } from '@bearing/contracts/principal'
import { describe, expect, it } from '@jest/globals'
import { CallPlaces } from './call-places.js'

const MOST = 8
const OVERLOADED = expect.objectContaining({ code: 'overloaded', details: { retry_after: 1 } })

const token = (organization_id: string, credential_id = organization_id): Principal => ({
  kind: 'organization_token',
  credential_id,
  organization_id,
  description: '',
  permissions: [],
  expires_at: null,
})

/** Calls that wait until they are let go. */
function setUp() {
  const places = new CallPlaces(MOST)
  const waiting: (() => void)[] = []
  const hold = (principal: Principal) =>
    places
      .within(principal, () => new Promise<string>((resolve) => waiting.push(() => resolve('answered'))))
      .catch((error: unknown) => error)
  return { places, waiting, hold }
}

describe('places of calls', () => {
  it('of internal operations are left when all others are taken, and those end too', () => {
    const places = new CallPlaces(MOST)
    for (let call = 0; call < MOST; call++) places.enter()
    places.refuse('project:list')
    for (let call = 0; call < MOST / 2; call++) {
      places.enter()
      expect(() => places.refuse('project:list')).toThrow(OVERLOADED)
      expect(() => places.refuse('public')).toThrow(OVERLOADED)
      places.refuse('internal')
    }
    places.enter()
    expect(() => places.refuse('internal')).toThrow(OVERLOADED)
  })

  it('are taken by one caller to half of them, by whatever credentials, and others have theirs', async () => {
    const { waiting, hold } = setUp()
    const calls = [1, 2, 3, 4, 5, 6].map((number) => hold(token('greedy', String(number))))
    const other = hold(token('other'))
    expect(waiting).toHaveLength(5)
    for (const answer of waiting.splice(0)) answer()
    expect(await Promise.all([...calls, other])).toEqual([
      ...Array.from({ length: 4 }, () => 'answered'),
      OVERLOADED,
      OVERLOADED,
      'answered',
    ])
    const again = hold(token('greedy'))
    for (const answer of waiting.splice(0)) answer()
    expect(await again).toBe('answered')
  })

  it('are given back by whatever fails, of thousands of callers too', async () => {
    const { places } = setUp()
    for (let caller = 0; caller < 3_000; caller++)
      await expect(
        places.within(token(String(caller % 1_500)), () => Promise.reject(new Error('failed'))),
      ).rejects.toThrow('failed')
    for (let time = 0; time < MOST; time++)
      expect(await places.within(token('0'), () => Promise.resolve('answered'))).toBe('answered')
  })

  it('of services are not counted by caller: they speak for everybody', () => {
    const { waiting, hold } = setUp()
    for (let call = 0; call < MOST; call++) void hold({ kind: 'service', name: 'gateway' })
    expect(waiting).toHaveLength(MOST)
  })
})
