import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@bearing/local/ports'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { MailLines } from './mail-lines.js'
import { readSecrets } from './secrets.js'
import { startServers } from './servers.js'
import { openStateDirectory } from './state-directory.js'
import { Supervisor } from './supervisor.js'

const CHECKOUT = join(import.meta.dirname, '..', '..', '..', '..')

let url: string
let directory: string
const said: string[] = []
const say = (line: string) => {
  said.push(line)
}
const supervisor = new Supervisor(say)

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'bearing-start-'))
  const state = openStateDirectory(directory)
  const port = await freePort()
  url = `http://127.0.0.1:${port}`
  await startServers({
    checkout: CHECKOUT,
    state,
    secrets: readSecrets(state.secrets),
    supervisor,
    port,
    databaseUrl: undefined,
    natsUrl: undefined,
    settings: {
      gateway: { TRUSTED_PROXIES: '127.0.0.1', REQUESTS_OF_STRANGERS: '2' },
      identity: { SMTP_URL: '' },
      management: {},
      location: {},
    },
    say,
    mails: new MailLines(say),
  })
})

afterAll(async () => {
  await supervisor.stop()
  await rm(directory, { recursive: true, force: true })
})

async function requestReset(address: string): Promise<number> {
  const reply = await fetch(`${url}/auth/password/reset-request`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
    body: JSON.stringify({ email: 'nobody@example.com' }),
  })
  return reply.status
}

it('services that start runs receive the settings it was given, instead of those it would set itself', async () => {
  // Without mail to the log, which start would set, identity has no way to send a link: 501. The gateway counts by the
  // addresses that the proxy reports.
  const first = [await requestReset('203.0.113.1'), await requestReset('203.0.113.1')]
  expect(await requestReset('203.0.113.1')).toBe(429)
  expect([...first, await requestReset('203.0.113.2')]).toEqual([501, 501, 501])
})
