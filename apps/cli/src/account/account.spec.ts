import { OperationError } from '@bearing/contracts/errors'
import { page } from '@bearing/contracts/primitives'
import { describe, expect, it } from '@jest/globals'
import { CREATED_AT, id, type Answers } from '../testing/fake-gateway.js'
import { AS_USER, runAgainst } from '../testing/run-against.js'

/** With the account password, as it is asked for beside an API key. */
const options = { environment: AS_USER, stdin: 'correct horse battery\n' }
const whoAmI: Answers['whoAmI'] = () => ({
  ...{ kind: 'user', user_id: id(4), email: 'ann@acme.example', credential_id: id(5), proof: 'api_key' },
  grants: [],
})
const deleteOwnAccount = () => ({ user_id: id(4), email: 'ann@acme.example' })

describe('bearing account delete', () => {
  it('deletes who confirms with their address, in either case', async () => {
    const args = ['account', 'delete', '--confirm', 'Ann@Acme.example', '--json']
    const { code, stdout, requests } = await runAgainst({ whoAmI, deleteOwnAccount }, args, options)
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toEqual({ user_id: id(4), email: 'ann@acme.example' })
    expect(requests).toEqual(['GET /auth/me', 'POST /auth/me/delete'])
  })

  it('deletes nobody with the address of somebody else, and says who they are; nor without one', async () => {
    const args = ['account', 'delete', '--confirm', 'ben@acme.example']
    const other = await runAgainst({ whoAmI, deleteOwnAccount }, args, options)
    expect(other).toMatchObject({ code: 2, requests: ['GET /auth/me'] })
    expect(other.stderr).toContain('ann@acme.example')
    expect(await runAgainst({ whoAmI }, ['account', 'delete'], options)).toMatchObject({
      code: 2,
      requests: [],
    })
  })

  it('shows the last admin what to do first', async () => {
    const refused = () => {
      throw new OperationError('last_admin', 'Acme would be without an admin.')
    }
    const args = ['account', 'delete', '--confirm', 'ann@acme.example']
    const { code, stderr } = await runAgainst({ whoAmI, deleteOwnAccount: refused }, args, options)
    expect(code).toBe(1)
    expect(stderr).toContain('Acme would be without an admin.')
    expect(stderr).toContain('members set')
  })
})

describe('bearing account sign-ons', () => {
  it('list shows where the account is linked, unlink names the link', async () => {
    const identity = {
      ...{ id: id(6), connection_id: id(7), connection_name: 'Ours' },
      ...{ issuer: 'https://id.acme.example', subject: 'u-17', created_at: CREATED_AT },
    }
    const answers: Answers = {
      listSsoIdentities: (input) => page([identity], 1, input),
      deleteSsoIdentity: () => ({}),
    }
    const run = (...args: string[]) => runAgainst(answers, ['account', 'sign-ons', ...args], options)
    const listed = await run('list')
    for (const shown of ['Ours', 'https://id.acme.example', 'u-17', id(6)])
      expect(listed.stdout).toContain(shown)
    const unlinked = await run('delete', id(6))
    expect(unlinked).toMatchObject({ code: 0, requests: [`DELETE /auth/sso/identities/${id(6)}`] })
    expect(unlinked.stderr).toContain('sessions from this provider have ended')
  })
})
