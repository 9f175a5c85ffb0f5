import { describe, expect, it } from '@jest/globals'
import { CREATED_AT, type Answers } from '../testing/fake-gateway.js'
import { runAgainst } from '../testing/run-against.js'

const [CURRENT, OLD] = ['0123456789abcdef'.repeat(2), 'fedcba9876543210'.repeat(2)]

describe('bearing project-key end-grace in a script', () => {
  async function end(devices: number, ...flags: string[]) {
    let ended = 0
    const none = { last_hour: 0, last_day: 0 }
    const current = { api_key: CURRENT, created_at: CREATED_AT, last_used_at: null, devices: none }
    const old = {
      ...{ api_key: OLD, created_at: CREATED_AT, last_used_at: CREATED_AT, expires_at: CREATED_AT },
      devices: { last_hour: 0, last_day: devices },
    }
    const answers: Answers = {
      showProjectKey: () => ({ ...current, in_grace: [old], requested: null }),
      endKeyGraces: () => {
        ended++
        return { ...current, in_grace: [], requested: null }
      },
    }
    const { code, stderr } = await runAgainst(answers, ['project-key', 'end-grace', ...flags])
    return { code, stderr, ended }
  }

  it('ends keys that no device has used for a day', async () => {
    expect(await end(0)).toMatchObject({ code: 0, ended: 1 })
  })

  it('ends keys that devices use only with --yes', async () => {
    const refused = await end(8)
    expect(refused).toMatchObject({ code: 2, ended: 0 })
    expect(refused.stderr).toContain('--yes')
    expect(await end(8, '--yes')).toMatchObject({ code: 0, ended: 1 })
  })
})
