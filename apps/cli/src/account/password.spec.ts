import { describe, expect, it } from '@jest/globals'
import type { Answers } from '../testing/fake-gateway.js'
import { AS_USER, runAgainst } from '../testing/run-against.js'

const SECRET = 'b'.repeat(43)
const [OLD, NEW] = ['four words nobody guesses', 'four others that nobody guesses']

describe('bearing password', () => {
  it.each<[string, string, keyof Answers, string, object, boolean]>([
    [
      'set',
      `${OLD}\n${NEW}\n`,
      'changePassword',
      'changed',
      { current_password: OLD, new_password: NEW },
      true,
    ],
    [
      'set --link',
      `${SECRET}\r\n${NEW}\r\n`,
      'resetPassword',
      'set',
      { secret: SECRET, password: NEW },
      false,
    ],
  ])(
    '%s reads its secrets from the lines of standard input, and repeats none of them',
    async (command, stdin, route, said, sent, hasCredential) => {
      let asked: unknown
      let authorization: string | undefined
      const respond = (input: unknown, headers: { authorization?: string | undefined }) => {
        asked = input
        authorization = headers.authorization
        return {}
      }
      const options = { environment: AS_USER, stdin }
      const ran = await runAgainst(
        { [route]: respond },
        ['password', ...command.split(' '), '--verbose'],
        options,
      )
      expect(ran).toMatchObject({ code: 0, stdout: '' })
      expect(asked).toEqual(sent)
      expect(authorization !== undefined).toBe(hasCredential)
      expect(ran.stderr).toContain(`Password ${said}.`)
      for (const secret of [SECRET, OLD, NEW]) expect(ran.stderr).not.toContain(secret)
    },
  )

  it.each(['set', 'set --link', 'reset'])(
    '%s takes no secret as an argument, and sends nothing where a line is missing',
    async (command) => {
      for (const [args, stdin] of [
        [[OLD], `${SECRET}\n${NEW}\n`],
        [[], `${SECRET}\n`],
        [[], ''],
      ] as const) {
        const ran = await runAgainst({}, ['password', ...command.split(' '), ...args], {
          environment: AS_USER,
          stdin,
        })
        expect(ran).toMatchObject({ code: 2, requests: [] })
        expect(ran.stderr).not.toContain(OLD)
      }
    },
  )

  it('request-link needs no credential, and does not reveal whether there is an account', async () => {
    let asked: unknown
    const requestPasswordReset: Answers['requestPasswordReset'] = (input) => {
      asked = input
      return {}
    }
    const args = ['password', 'request-link', 'Ada@Example.com']
    const { code, stderr } = await runAgainst({ requestPasswordReset }, args, { environment: {} })
    expect(code).toBe(0)
    expect(asked).toEqual({ email: 'ada@example.com' })
    expect(stderr).toContain('If an account has this email address')
  })
})
