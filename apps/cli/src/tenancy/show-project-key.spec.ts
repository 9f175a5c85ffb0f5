import { expect, it } from '@jest/globals'
import { CREATED_AT } from '../testing/fake-gateway.js'
import { runAgainst } from '../testing/run-against.js'

const [CURRENT, OLD, OLDER] = ['0', '1', '2'].map((digit) => digit.repeat(32)) as [string, string, string]

it('bearing project-key show prints each key in its grace period, and its use, in short lines', async () => {
  const use = { last_used_at: CREATED_AT, devices: { last_hour: 3, last_day: 1_200 } }
  const unused = { last_used_at: null, devices: { last_hour: 0, last_day: 0 } }
  const ended = { created_at: CREATED_AT, expires_at: CREATED_AT }
  const showProjectKey = () => ({
    ...{ api_key: CURRENT, created_at: CREATED_AT, ...use },
    in_grace: [
      { api_key: OLD, ...ended, ...use },
      { api_key: OLDER, ...ended, ...unused },
    ],
    requested: { api_key: OLD, network: null, requested_at: CREATED_AT, expires_at: CREATED_AT },
  })
  const { code, stdout } = await runAgainst({ showProjectKey }, ['project-key', 'show'])
  expect(code).toBe(0)
  expect(stdout.trimEnd().split('\n')).toEqual([
    `Project key  ${CURRENT}`,
    'Created      2026-01-31 09:00 UTC',
    'Last used    2026-01-31 09:00 UTC',
    'Devices      about 1,200 devices in 24 h, about 3 in the last hour',
    `In grace     ${OLD} until 2026-01-31 09:00 UTC`,
    '             last used 2026-01-31 09:00 UTC',
    '             about 1,200 devices in 24 h, about 3 in the last hour',
    `             ${OLDER} until 2026-01-31 09:00 UTC`,
    '             not used',
    `Requested    ${OLD} until 2026-01-31 09:00 UTC: an operator decides`,
  ])
})
