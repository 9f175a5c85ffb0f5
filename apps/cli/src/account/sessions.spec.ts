import { page } from '@bearing/contracts/primitives'
import { describe, expect, it } from '@jest/globals'
import { CREATED_AT, id, type Answers } from '../testing/fake-gateway.js'
import { AS_USER, runAgainst } from '../testing/run-against.js'

const session = {
  id: id(3),
  methods: ['pwd' as const, 'otp' as const],
  address: '192.0.2.7',
  host: null,
  user_agent: 'Browser\u001b[2J/1.0',
  created_at: CREATED_AT,
  last_seen_at: CREATED_AT,
  expires_at: CREATED_AT,
  current: false,
}
const options = { environment: AS_USER }

describe('bearing sessions', () => {
  it('list shows where and how somebody is signed in, and nothing that a terminal acts on', async () => {
    const listSessions: Answers['listSessions'] = (input) => page([session], 1, input)
    const { code, stdout } = await runAgainst({ listSessions }, ['sessions', 'list'], options)
    expect(code).toBe(0)
    for (const shown of ['pwd, otp', '192.0.2.7', 'Browser\\u001b[2J/1.0', id(3)])
      expect(stdout).toContain(shown)
    const programs = await runAgainst({ listSessions }, ['sessions', 'list', '--json'], options)
    expect(JSON.parse(programs.stdout)).toEqual([session])
  })

  it('end ends the one that is named, or all of them', async () => {
    const asked: unknown[] = []
    const answers: Answers = {
      endSession: (input) => {
        asked.push(input)
        return {}
      },
      endOtherSessions: () => ({ ended_count: 3 }),
    }
    const one = await runAgainst(answers, ['sessions', 'delete', id(3)], options)
    expect(one).toMatchObject({ code: 0, requests: [`DELETE /auth/sessions/${id(3)}`] })
    expect(asked).toEqual([{ session_id: id(3) }])
    const all = await runAgainst(answers, ['sessions', 'delete', '--all', '--json'], options)
    expect(all).toMatchObject({ code: 0, requests: ['DELETE /auth/sessions'] })
    expect(JSON.parse(all.stdout)).toEqual({ ended_count: 3 })
  })

  it.each([[[]], [[id(3), '--all']]])('end guesses nothing: %j', async (more) => {
    const ran = await runAgainst({}, ['sessions', 'delete', ...more], options)
    expect(ran).toMatchObject({ code: 2, requests: [] })
    expect(ran.stderr).toContain('--all')
  })
})
