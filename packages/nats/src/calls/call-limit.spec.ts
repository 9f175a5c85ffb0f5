import type { Principal } from '@bearing/contracts/principal'
import { describe, expect, it } from '@jest/globals'
import { CallLimit } from './call-limit.js'

const LIMIT = 8
const OVERLOADED = expect.objectContaining({ code: 'overloaded', details: { retry_after: 1 } })

const token = (organization_id: string, credential_id = organization_id): Principal => ({
  kind: 'organization_token',
  credential_id,
  organization_id,
  description: '',
  permissions: [],
  expires_at: null,
})

/** Calls that wait until the test answers them. */
function setUp() {
  const calls = new CallLimit(LIMIT)
  const waiting: (() => void)[] = []
  const hold = (principal: Principal) =>
    calls
      .within(principal, () => new Promise<string>((resolve) => waiting.push(() => resolve('answered'))))
      .catch((error: unknown) => error)
  return { calls, waiting, hold }
}

describe('the limit of calls', () => {
  it('leaves capacity for internal operations when all other calls are refused, and it ends too', () => {
    const calls = new CallLimit(LIMIT)
    for (let call = 0; call < LIMIT; call++) calls.enter()
    calls.refuse('project:list')
    for (let call = 0; call < LIMIT / 2; call++) {
      calls.enter()
      expect(() => calls.refuse('project:list')).toThrow(OVERLOADED)
      expect(() => calls.refuse('public')).toThrow(OVERLOADED)
      calls.refuse('internal')
    }
    calls.enter()
    expect(() => calls.refuse('internal')).toThrow(OVERLOADED)
  })

  it('gives one caller at most half, whatever its credentials, and the rest to others', async () => {
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

  it('counts failed calls no longer, of thousands of callers too', async () => {
    const { calls } = setUp()
    for (let caller = 0; caller < 3_000; caller++)
      await expect(
        calls.within(token(String(caller % 1_500)), () => Promise.reject(new Error('failed'))),
      ).rejects.toThrow('failed')
    for (let time = 0; time < LIMIT; time++)
      expect(await calls.within(token('0'), () => Promise.resolve('answered'))).toBe('answered')
  })

  it('does not limit services, which call for everybody', () => {
    const { waiting, hold } = setUp()
    for (let call = 0; call < LIMIT; call++) void hold({ kind: 'service', name: 'gateway' })
    expect(waiting).toHaveLength(LIMIT)
  })
})
