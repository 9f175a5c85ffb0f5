import { page } from '@bearing/contracts/primitives'
import { describe, expect, it } from '@jest/globals'
import { CREATED_AT, id, type Answers } from '../testing/fake-gateway.js'
import { AS_USER, runAgainst } from '../testing/run-against.js'

const passkey = {
  ...{ id: id(3), credential_id: 'AAAA', name: 'Phone\u001b[2J' },
  ...{ created_at: CREATED_AT, last_used_at: null },
}
const options = { environment: AS_USER }

describe('bearing passkeys', () => {
  it('list shows names and ids, and nothing that a terminal acts on', async () => {
    const listPasskeys: Answers['listPasskeys'] = (input) => page([passkey], 1, input)
    const { code, stdout } = await runAgainst({ listPasskeys }, ['passkeys', 'list'], options)
    expect(code).toBe(0)
    for (const shown of ['Phone\\u001b[2J', id(3)]) expect(stdout).toContain(shown)
    const programs = await runAgainst({ listPasskeys }, ['passkeys', 'list', '--json'], options)
    expect(JSON.parse(programs.stdout)).toEqual([passkey])
  })

  it('rename and delete change the passkey that is named', async () => {
    const asked: unknown[] = []
    const answers: Answers = {
      renamePasskey: (input) => {
        asked.push(input)
        return { ...passkey, name: input.name }
      },
      removePasskey: (input) => {
        asked.push(input)
        return {}
      },
    }
    const renamed = await runAgainst(answers, ['passkeys', 'rename', id(3), 'Key'], options)
    expect(renamed).toMatchObject({ code: 0, requests: [`PATCH /auth/passkeys/${id(3)}`] })
    const deleted = await runAgainst(answers, ['passkeys', 'delete', id(3)], options)
    expect(deleted).toMatchObject({ code: 0, requests: [`DELETE /auth/passkeys/${id(3)}`] })
    expect(asked).toEqual([{ passkey_id: id(3), name: 'Key' }, { passkey_id: id(3) }])
  })
})
