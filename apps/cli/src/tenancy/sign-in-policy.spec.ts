import { DEVICE_LOGINS } from '@bearing/contracts/principal'
import { OperationError } from '@bearing/contracts/errors'
import { describe, expect, it } from '@jest/globals'
import type { Answers } from '../testing/fake-gateway.js'
import { AS_USER, runAgainst } from '../testing/run-against.js'

const POLICY = ['organizations', 'sign-in-policy']
const ANY = { second_factor_kind: 'any' as const }
const options = { environment: AS_USER }

describe('bearing organizations sign-in-policy', () => {
  it('show says of each rule whether it holds', async () => {
    const showSignInPolicy = () => ({
      sso_required: true,
      second_factor_required: false,
      ...ANY,
      device_logins: 'on' as const,
    })
    const { code, stdout } = await runAgainst({ showSignInPolicy }, [...POLICY, 'show'], options)
    expect(code).toBe(0)
    expect(stdout).toMatch(/Second factor +not required\n/)
    expect(stdout).toMatch(/Single sign-on +required\n/)
  })

  it.each([
    ['required', true, 'any'],
    ['phishing-resistant', true, 'phishing-resistant'],
    ['optional', false, 'any'],
  ] as const)(
    'set --second-factor %s says so, and leaves the other rule as it is',
    async (word, required, kind) => {
      let asked: object = {}
      const changeSignInPolicy: Answers['changeSignInPolicy'] = (input) => {
        asked = input
        return { sso_required: true, second_factor_required: required, ...ANY, device_logins: 'on' as const }
      }
      const args = [...POLICY, 'set', '--second-factor', word, '--json']
      const { code, stdout } = await runAgainst({ changeSignInPolicy }, args, options)
      expect(code).toBe(0)
      expect(asked).toMatchObject({ second_factor_required: required, second_factor_kind: kind })
      expect(asked).not.toHaveProperty('sso_required')
      expect(JSON.parse(stdout)).toEqual({
        sso_required: true,
        second_factor_required: required,
        ...ANY,
        device_logins: 'on',
      })
    },
  )

  it('set --sso says so, and leaves the other rule as it is', async () => {
    let asked: object = {}
    const changeSignInPolicy: Answers['changeSignInPolicy'] = (input) => {
      asked = input
      return { sso_required: true, second_factor_required: false, ...ANY, device_logins: 'on' as const }
    }
    const { code } = await runAgainst(
      { changeSignInPolicy },
      [...POLICY, 'set', '--sso', 'required'],
      options,
    )
    expect(code).toBe(0)
    expect(asked).toMatchObject({ sso_required: true })
    expect(asked).not.toHaveProperty('second_factor_required')
  })

  it.each(DEVICE_LOGINS)(
    'set --device-logins %s says so, and leaves the other rules as they are',
    async (rule) => {
      let asked: object = {}
      const changeSignInPolicy: Answers['changeSignInPolicy'] = (input) => {
        asked = input
        return { sso_required: true, second_factor_required: false, ...ANY, device_logins: rule }
      }
      const args = [...POLICY, 'set', '--device-logins', rule]
      const { code, stdout } = await runAgainst({ changeSignInPolicy }, args, options)
      expect(code).toBe(0)
      expect(asked).toMatchObject({ device_logins: rule })
      expect(asked).not.toHaveProperty('sso_required')
      expect(stdout).toMatch(new RegExp(`Command-line sign-ins +${rule}\\n`))
    },
  )

  it('set shows an admin who does not fulfil the rule what the server said', async () => {
    const changeSignInPolicy = () => {
      throw new OperationError('second_factor_required', 'Set up a second factor first.')
    }
    const args = [...POLICY, 'set', '--second-factor', 'required']
    const { code, stderr } = await runAgainst({ changeSignInPolicy }, args, options)
    expect(code).toBe(1)
    expect(stderr).toContain('Set up a second factor first.')
  })

  it.each([[[]], [['--second-factor', 'maybe']], [['--sso', 'perhaps']], [['--device-logins', 'maybe']]])(
    'set sends nothing that is unclear: %j',
    async (more) => {
      expect(await runAgainst({}, [...POLICY, 'set', ...more], options)).toMatchObject({
        code: 2,
        requests: [],
      })
    },
  )
})
