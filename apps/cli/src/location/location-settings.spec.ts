import { describe, expect, it } from '@jest/globals'
import type { Answers } from '../testing/fake-gateway.js'
import { AS_USER, runAgainst } from '../testing/run-against.js'

const options = { environment: { ...AS_USER, BEARING_ORG: 'acme' } }

describe('bearing location settings', () => {
  it('shows them, or changes what is given and leaves the rest', async () => {
    const asked: unknown[] = []
    const answers: Answers = {
      showLocationSettings: () => ({ share_observations: false, observation_retention_days: 90 }),
      changeLocationSettings: ({ share_observations, observation_retention_days }) => {
        asked.push({ share_observations, observation_retention_days })
        return { share_observations, observation_retention_days }
      },
    }
    const run = (...args: string[]) => runAgainst(answers, ['location', 'settings', ...args], options)
    const shown = await run('show')
    expect(shown).toMatchObject({ code: 0, requests: ['GET /v1/organizations/acme/location/settings'] })
    expect(shown.stdout).toContain('90 days')
    expect((await run('set', '--retention-days', '0', '--json')).code).toBe(0)
    expect(asked).toEqual([{ share_observations: false, observation_retention_days: 0 }])
    for (const wrong of [
      ['set', '--retention-days', '3651'],
      ['set', '--retention-days', '1.5'],
    ])
      expect(await run(...wrong)).toMatchObject({ code: 2, requests: [] })
  })
})
