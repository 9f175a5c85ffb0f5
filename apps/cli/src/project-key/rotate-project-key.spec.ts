import { OperationError } from '@bearing/contracts/errors'
import { describe, expect, it } from '@jest/globals'
import { CREATED_AT, type Answers } from '../specs/fake-gateway.js'
import { runAgainst } from '../specs/run-against.js'

const KEY = '0123456789abcdef'.repeat(2)
const key = {
  ...{ api_key: KEY, created_at: CREATED_AT, last_used_at: null },
  ...{ devices: { last_hour: 0, last_day: 0 }, in_grace: [] },
}
const denied = (permission: string) => () => {
  throw new OperationError('permission_denied', `The credential lacks the permission ${permission}.`)
}

describe('bearing project-key rotate', () => {
  it('works with a credential that may replace the key and not read it, and keeps the old one for a week', async () => {
    const graces: number[] = []
    const answers: Answers = {
      showProjectKey: denied('project-key:read'),
      cycleProjectKey: ({ grace_seconds }) => {
        graces.push(grace_seconds)
        return key
      },
    }
    const { code, stdout } = await runAgainst(answers, ['project-key', 'rotate'])
    expect(code).toBe(0)
    expect(graces).toEqual([7 * 86_400])
    expect(stdout).toContain(KEY)
  })

  it('names the permission that replacing takes if the credential has neither', async () => {
    const answers: Answers = {
      showProjectKey: denied('project-key:read'),
      cycleProjectKey: denied('project-key:cycle'),
    }
    const { code, stderr } = await runAgainst(answers, ['project-key', 'rotate'])
    expect(code).toBe(1)
    expect(stderr).toContain('project-key:cycle')
    expect(stderr).not.toContain('project-key:read')
  })
})
