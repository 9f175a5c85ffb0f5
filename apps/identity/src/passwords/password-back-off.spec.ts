import { eventually } from '@bearing/testing/eventually'
import { startStack, type Stack } from '@bearing/testing/stack'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { TestIdentity, type TestUser } from '../testing/test-identity.js'

const FREE = 2
const FREE_FROM_STRANGERS = 8
const LONGEST_WAIT_S = 1

describe('the back-off of passwords', () => {
  let stack: Stack
  let identity: TestIdentity
  let wrongs = 0
  let addresses = 0

  beforeAll(async () => {
    stack = await startStack({
      services: ['identity'],
      gateways: 0,
      environment: {
        identity: {
          PASSWORD_ATTEMPTS: String(FREE),
          PASSWORD_ATTEMPTS_OF_STRANGERS: String(FREE_FROM_STRANGERS),
          PASSWORD_BACK_OFF_S: String(LONGEST_WAIT_S),
        },
      },
    })
    identity = await TestIdentity.connect(stack)
  }, 60_000)

  afterAll(async () => {
    await identity.close()
    await stack.stop()
  })

  const newAddress = () => `203.0.113.${String(++addresses)}`

  /** How an attempt ends; what identity remembers does not count. */
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

  /**
   * Guesses as often as it is let, and once more. All at once: the first wait is a second, which a busy machine may take for
   * one guess after the other.
   */
  async function hammer(email: string, address: string): Promise<string[]> {
    const outcomes = await Promise.all(Array.from({ length: FREE + 2 }, () => guess(email, address)))
    return outcomes.sort()
  }

  it('is alike for accounts that there are and that there are not', async () => {
    const { email } = await identity.newUser()
    const known = await hammer(email, newAddress())
    expect(known).toEqual(['rate_limited', 'unknown', 'unknown', 'unknown'])
    expect(await hammer(`nobody-${email}`, newAddress())).toEqual(known)
  })

  it('also refuses the right password, so that guessing shows nothing', async () => {
    const user = await identity.newUser()
    const address = newAddress()
    const outcomes = await Promise.all([hammer(user.email, address), logIn(user, address)])
    expect(outcomes).toEqual([['rate_limited', 'unknown', 'unknown', 'unknown'], 'rate_limited'])
  })

  it('ends by itself, and the right password begins anew', async () => {
    const user = await identity.newUser()
    const address = newAddress()
    await hammer(user.email, address)
    await eventually(async () => expect(await logIn(user, address)).toBe('right'))
    expect(await hammer(user.email, address)).toContain('unknown')
  })

  it('lets the owner of a hammered account in, from where they were before at once, and from elsewhere soon', async () => {
    const user = await identity.newUser()
    const home = newAddress()
    expect(await logIn(user, home)).toBe('right')
    const strangers = Array.from({ length: FREE_FROM_STRANGERS + 2 }, newAddress)
    const outcomes = await Promise.all(strangers.map((address) => guess(user.email, address)))
    expect(outcomes).toContain('rate_limited')
    expect(await logIn(user, home)).toBe('right')
    await eventually(async () => expect(await logIn(user, newAddress())).toBe('right'), {
      withinMs: 60_000,
      everyMs: 300,
    })
  })

  it('leaves other accounts and addresses alone', async () => {
    const user = await identity.newUser()
    const attacker = newAddress()
    await hammer(user.email, attacker)
    expect(await logIn(user, newAddress())).toBe('right')
    expect(await logIn(await identity.newUser(), attacker)).toBe('right')
  })

  it('counts attempts that come at the same time one by one', async () => {
    const { email } = await identity.newUser()
    const address = newAddress()
    const outcomes = await Promise.all(Array.from({ length: 12 }, () => guess(email, address)))
    expect(outcomes.filter((outcome) => outcome === 'unknown')).toHaveLength(FREE + 1)
  })
})
