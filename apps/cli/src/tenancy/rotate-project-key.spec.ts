import { OperationError } from '@bearing/contracts/errors'
import { describe, expect, it } from '@jest/globals'
import { CREATED_AT, type Answers } from '../testing/fake-gateway.js'
import { runAgainst } from '../testing/run-against.js'

const KEY = '0123456789abcdef'.repeat(2)
const key = {
  ...{ api_key: KEY, created_at: CREATED_AT, last_used_at: null },
  ...{ devices: { last_hour: 0, last_day: 0 }, in_grace: [], requested: null },
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

  it('without a grace period and a terminal refuses while devices use the key or one in its grace period, without --yes', async () => {
    const use = { last_used_at: CREATED_AT, devices: { last_hour: 0, last_day: 3 } }
    const old = { api_key: KEY, created_at: CREATED_AT, expires_at: CREATED_AT, ...use }
    const ofUsed = () => ({ ...key, ...use })
    const cases = [
      { shown: () => key, flags: ['--immediately'], isRefused: false },
      { shown: ofUsed, flags: ['--immediately'], isRefused: true },
      { shown: ofUsed, flags: ['--immediately', '--yes'], isRefused: false },
      { shown: ofUsed, flags: ['--grace', '1d'], isRefused: false },
      { shown: () => ({ ...key, in_grace: [old] }), flags: ['--immediately'], isRefused: true },
      { shown: denied('project-key:read'), flags: ['--immediately'], isRefused: true },
    ]
    for (const { shown, flags, isRefused } of cases) {
      let replaced = 0
      const answers: Answers = {
        showProjectKey: shown,
        cycleProjectKey: () => {
          replaced++
          return key
        },
      }
      const { code, stderr } = await runAgainst(answers, ['project-key', 'rotate', ...flags])
      expect([code, replaced]).toEqual(isRefused ? [2, 0] : [0, 1])
      if (isRefused) expect(stderr).toContain('Confirm with --yes.')
    }
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
