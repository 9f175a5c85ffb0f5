import { describe, expect, it } from '@jest/globals'
import { CREATED_AT } from '../testing/fake-gateway.js'
import { AS_USER, runAgainst } from '../testing/run-against.js'

const PASSWORD = 'four words nobody guesses'
const CODES = ['0123-4567-89ab-cdef', 'hjkm-npqr-stvw-xyz0']
const begun = {
  secret: 'GEZDGNBVGY3TQOJQ',
  uri: 'otpauth://totp/Bearing:ann?secret=GEZDGNBVGY3TQOJQ&issuer=Bearing',
}

describe('bearing totp', () => {
  it.each([
    [null, 'off'],
    [CREATED_AT, 'on since 2026-01-31 09:00 UTC'],
  ])('show says whether it is on: %s', async (confirmed_at, word) => {
    const showTotp = () => ({ confirmed_at, recovery_codes_left: 7 })
    const { code, stdout } = await runAgainst({ showTotp }, ['totp', 'show'], { environment: AS_USER })
    expect(code).toBe(0)
    expect(stdout).toContain(word)
    expect(stdout).toMatch(/Recovery codes left +7/)
  })

  it('enroll sends the password from standard input, and prints secret and address as text', async () => {
    let asked: unknown
    const enrollTotp = (input: { password: string }) => {
      asked = input
      return begun
    }
    const options = { environment: AS_USER, stdin: `${PASSWORD}\n` }
    const people = await runAgainst({ enrollTotp }, ['totp', 'enroll'], options)
    expect(people.code).toBe(0)
    expect(asked).toEqual({ password: PASSWORD })
    expect(people.stdout).toContain(begun.secret)
    expect(people.stdout).toContain(begun.uri)
    expect(people.stdout).not.toMatch(/[█▀▄]/)
    expect(people.stderr).toContain('bearing totp confirm')
    expect(people.stdout + people.stderr).not.toContain(PASSWORD)
    const programs = await runAgainst({ enrollTotp }, ['totp', 'enroll', '--json'], options)
    expect(JSON.parse(programs.stdout)).toEqual(begun)
  })

  it('confirm sends the code as it is typed, and shows the recovery codes once, with what they are for', async () => {
    let asked: unknown
    const answers = {
      confirmTotp: (input: { totp_code: string }) => {
        asked = input
        return { recovery_codes: CODES }
      },
    }
    const options = { environment: AS_USER, stdin: '123 456\n' }
    const { code, stdout, stderr } = await runAgainst(answers, ['totp', 'confirm'], options)
    expect(code).toBe(0)
    expect(asked).toEqual({ totp_code: '123456' })
    for (const shown of CODES) expect(stdout.split(shown)).toHaveLength(2)
    expect(stderr).toContain('shown only once')
    for (const shown of CODES) expect(stderr).not.toContain(shown)
  })

  it.each([
    ['123456', { totp_code: '123456' }],
    ['123 456', { totp_code: '123456' }],
    ['0123-4567-89ab-cdef', { recovery_code: '0123-4567-89ab-cdef' }],
    ['1234567', { recovery_code: '1234567' }],
  ])('delete and recovery-codes rotate know what "%s" is', async (typed, sent) => {
    const asked: unknown[] = []
    const options = { environment: AS_USER, stdin: `${typed}\n` }
    const removeTotp = (input: object) => {
      asked.push(input)
      return {}
    }
    const renewRecoveryCodes = (input: object) => {
      asked.push(input)
      return { recovery_codes: CODES }
    }
    expect((await runAgainst({ removeTotp }, ['totp', 'delete'], options)).code).toBe(0)
    const renewed = await runAgainst(
      { renewRecoveryCodes },
      ['totp', 'recovery-codes', 'rotate', '--json'],
      options,
    )
    expect(JSON.parse(renewed.stdout)).toEqual({ recovery_codes: CODES })
    expect(asked).toEqual([sent, sent])
  })

  it.each(['enroll', 'confirm', 'delete', 'recovery-codes rotate'])(
    '%s sends nothing where nothing was said',
    async (command) => {
      const ran = await runAgainst({}, ['totp', ...command.split(' ')], { environment: AS_USER })
      expect(ran).toMatchObject({ code: 2, stdout: '', requests: [] })
    },
  )
})
