import { OperationError } from '@bearing/contracts/errors'
import { describe, expect, it } from '@jest/globals'
import { CREATED_AT, id, type Answers } from '../testing/fake-gateway.js'
import { AS_USER, runAgainst } from '../testing/run-against.js'

const EXPIRES_AT = '2099-01-31T09:00:00.000Z'
const created = { id: id(5), created_at: CREATED_AT, expires_at: EXPIRES_AT, second_factor: true }

describe('bearing user-key', () => {
  it('create sends the expiry, and the password and code that it reads from standard input', async () => {
    const inputs: unknown[] = []
    const cycleUserKey: Answers['cycleUserKey'] = (input) => {
      inputs.push(input)
      return { ...created, api_key: 'brgu_secret' }
    }
    const args = ['user-key', 'create', '--expires-at', EXPIRES_AT, '--second-factor']
    const { code, stdout } = await runAgainst({ cycleUserKey }, args, {
      environment: AS_USER,
      stdin: 'correct horse battery\n123456\n',
    })
    expect(code).toBe(0)
    expect(inputs).toEqual([
      { expires_at: EXPIRES_AT, password: 'correct horse battery', totp_code: '123456' },
    ])
    expect(stdout).toContain('2099')
  })

  it('create says in its help when it asks before it replaces a key', async () => {
    const { stdout } = await runAgainst({}, ['user-key', 'create', '--help'], { environment: AS_USER })
    expect(stdout).toMatch(
      /replaced[^.]*\..*On a\s+terminal the command asks first; without one, in a script, it does not/s,
    )
  })

  it('create without a proof that the server requires says which flag gives it', async () => {
    const cycleUserKey = () => {
      throw new OperationError('recent_sign_in_required', 'Sign in again.')
    }
    const { code, stderr } = await runAgainst({ cycleUserKey }, ['user-key', 'create'], {
      environment: AS_USER,
    })
    expect(code).toBe(1)
    expect(stderr).toContain('--second-factor')
  })

  it('show prints the expiry and whether the key was created with the second factor', async () => {
    const showUserKey: Answers['showUserKey'] = () => ({ ...created, api_key: null })
    const { stdout } = await runAgainst({ showUserKey }, ['user-key', 'show'], { environment: AS_USER })
    expect(stdout).toContain('2099')
    expect(stdout).toMatch(/second factor\s+yes/i)
  })
})
