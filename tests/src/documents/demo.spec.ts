import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BearingClient } from '@bearing/client/client'
import { eventually } from '@bearing/testing/eventually'
import { testStack } from '@bearing/testing/stack'
import { seedDemo } from '@bearing/start/start/demo'
import { readSecrets } from '@bearing/start/start/secrets'
import { openStateDirectory } from '@bearing/start/start/state-directory'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'

describe('the demo of `pnpm start`', () => {
  let directory: string
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'bearing-demo-'))
  })
  afterAll(() => rm(directory, { recursive: true }))

  it('keeps an API key that its user created by hand, at every further start', async () => {
    const { gatewayUrls, natsUrl, nkeySeeds } = testStack()
    const [url = ''] = gatewayUrls
    const state = openStateDirectory(directory)
    // As a start does: what the one before has written is read again.
    const start = () =>
      seedDemo({
        ...{ url, state, secrets: readSecrets(state.secrets), say: () => undefined },
        mails: { skipNext: () => undefined },
        messaging: { url: `nats://${new URL(natsUrl).host}`, nkeySeeds },
      })
    const as = ({ email }: { email: string }, secret: string) =>
      new BearingClient({ url, credential: { kind: 'user', email, secret } })

    const first = await start()
    expect(first.userKey).toMatch(/^brgu_/)
    const { api_key: own } = await as(first, first.password).call('cycleUserKey', {})
    for (let times = 0; times < 2; times++) {
      const next = await start()
      await as(next, own).call('whoAmI', {})
      await as(next, next.userKey).call('whoAmI', {})
      expect(await readFile(state.demoEnv, 'utf8')).toContain('DEMO_USER_API_KEY=')
    }
    await as(first, own).call('deleteUserKey', {})
    await eventually(async () => {
      expect((await start()).userKey).toMatch(/^brgu_/)
    })
  })
})
