import { newOrganization } from '@bearing/testing/factories'
import { testStack } from '@bearing/testing/stack'
import { forSuite } from '@bearing/testing/for-suite'
import { describe, expect, it, jest } from '@jest/globals'
import { sendMalformed } from '../campaigns/malformed-credentials.js'
import { send } from '../tools/http.js'
import { rightCredentials } from '../tools/right-credentials.js'

/** `pnpm campaign credentials` sends a million. */
const COUNT = 3_000

describe('malformed credentials', () => {
  const own = forSuite(() => newOrganization())
  const gateway = () => testStack().gatewayUrls[0] ?? ''
  const path = () => `/api/v0/organizations/${own.slug}/projects/${own.project.slug}`

  it('are all rejected, and none causes an internal error', async () => {
    const right = await rightCredentials(gateway(), own)
    const seed = jest.getSeed()
    const { statuses, wrong } = await sendMalformed(gateway(), path(), right, { count: COUNT, seed })
    expect({ seed, wrong }).toEqual({ seed, wrong: [] })
    expect([...statuses.values()].reduce((sum, count) => sum + count, 0)).toBe(COUNT)
    // The valid credentials that they were derived from still work.
    expect((await send(gateway(), 'GET', path(), { credential: own.token.credential })).status).toBe(200)
  })
})
