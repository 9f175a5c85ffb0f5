import { eventually } from '@bearing/testing/eventually'
import { forSuite, stackForSuite } from '@bearing/testing/for-suite'
import { describe, expect, it } from '@jest/globals'
import { TestIdentity, type TestUser } from '../../testing/test-identity.js'

const FREE = 2
const FREE_FROM_UNKNOWN = 10 * FREE
const LONGEST_WAIT_S = 30
const PATIENCE = { withinMs: 90_000, everyMs: 100 }

describe('the back-off of passwords', () => {
  const stack = stackForSuite({
    services: ['identity'],
    gateways: 0,
    constants: { identity: { PASSWORD_ATTEMPTS: FREE, PASSWORD_BACK_OFF_S: LONGEST_WAIT_S } },
  })
  const identity = forSuite(() => TestIdentity.connect(stack))
  let wrongs = 0
  let addresses = 0

  const newAddress = () => `203.0.113.${String(++addresses)}`

  /** Returns the outcome of an attempt; cached results do not count. */
  async function attempt(email: string, secret: string, clientAddress: string): Promise<string> {
    try {
      const answer = await identity.introspect(
        { kind: 'user', email, secret },
        { clientAddress, fresh: true },
      )
      return answer.active ? 'right' : answer.reason
    } catch (error) {
      return (error as { code: string }).code
    }
  }
  const guess = (email: string, address: string) =>
    attempt(email, `wrong password ${String(++wrongs)}`, address)
  const logIn = ({ email, password }: TestUser, address: string) => attempt(email, password, address)

  /** Guesses until it is slowed down. The waits grow, so it is in the end, however slow the machine is. */
  async function hammer(email: string, addressOf: () => string): Promise<string[]> {
    const outcomes: string[] = []
    while (outcomes.at(-1) !== 'rate_limited') outcomes.push(await guess(email, addressOf()))
    return outcomes
  }

  it('is alike for accounts that there are and that there are not', async () => {
    const { email } = await identity.newUser()
    for (const account of [email, `nobody-${email}`]) {
      const address = newAddress()
      const outcomes = await hammer(account, () => address)
      expect(outcomes.slice(0, FREE + 1)).toEqual(['unknown', 'unknown', 'unknown'])
      expect(new Set(outcomes)).toEqual(new Set(['unknown', 'rate_limited']))
    }
  })

  it('also refuses the right password, so that guessing shows nothing', async () => {
    const user = await identity.newUser()
    // Again, where the wait was over before the right one came.
    await eventually(async () => {
      const address = newAddress()
      await hammer(user.email, () => address)
      expect(await logIn(user, address)).toBe('rate_limited')
    }, PATIENCE)
  })

  it('expires, and the right password resets it', async () => {
    const user = await identity.newUser()
    const address = newAddress()
    await hammer(user.email, () => address)
    await eventually(async () => expect(await logIn(user, address)).toBe('right'), PATIENCE)
    expect((await hammer(user.email, () => address)).slice(0, FREE)).toEqual(['unknown', 'unknown'])
  })

  it('lets the owner of a hammered account in, immediately from where they were before, and soon from elsewhere', async () => {
    const user = await identity.newUser()
    const home = newAddress()
    expect(await logIn(user, home)).toBe('right')
    expect((await hammer(user.email, newAddress)).length).toBeGreaterThan(FREE_FROM_UNKNOWN)
    expect(await logIn(user, home)).toBe('right')
    await eventually(async () => expect(await logIn(user, newAddress())).toBe('right'), PATIENCE)
  })

  it('leaves other accounts and addresses alone', async () => {
    const user = await identity.newUser()
    const attacker = newAddress()
    await hammer(user.email, () => attacker)
    expect(await logIn(user, newAddress())).toBe('right')
    expect(await logIn(await identity.newUser(), attacker)).toBe('right')
  })

  it('counts attempts that come at the same time one by one', async () => {
    await eventually(async () => {
      const { email } = await identity.newUser()
      const address = newAddress()
      const outcomes = await Promise.all(Array.from({ length: 12 }, () => guess(email, address)))
      expect(outcomes.filter((outcome) => outcome === 'unknown')).toHaveLength(FREE + 1)
    }, PATIENCE)
  })
})
