import { readFileSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { newOrganization } from '@bearing/testing/factories'
import { eventually } from '@bearing/testing/eventually'
import { startStack } from '@bearing/testing/stack'
import { folderForSuite, forSuite } from '@bearing/testing/for-suite'
import { describe, expect, it } from '@jest/globals'
import { send } from '../tools/http.js'

const directory = folderForSuite()
// NATS refuses something on purpose, at which `stop` would fail.
const stack = forSuite(
  () => startStack({ gateways: 1, services: ['identity', 'management'], directory }),
  (it) => it.end(),
)

/** Changes the list of users of NATS, and has it read again. */
async function changeUsers(change: (configuration: string) => string): Promise<void> {
  const [own = ''] = await readdir(directory)
  const file = join(directory, own, 'nats', 'nats.conf')
  const configuration = await readFile(file, 'utf8')
  const changed = change(configuration)
  expect(changed).not.toBe(configuration)
  await writeFile(file, changed)
  process.kill(stack.part('nats').pid, 'SIGHUP')
}

/** Returns the reply of a process at its health port. */
async function health(part: string, path: string): Promise<{ status: number; body: unknown }> {
  const environment = readFileSync(`/proc/${stack.part(part).pid}/environ`, 'utf8')
  const port = /(?:^|\0)HEALTH_PORT=(\d+)/.exec(environment)?.[1]
  const response = await fetch(`http://127.0.0.1:${String(port)}${path}`)
  return { status: response.status, body: await response.json() }
}

describe('a list of users that lacks what a service needs', () => {
  it('makes it unready, with the reason; put right, the service recovers automatically', async () => {
    const own = await newOrganization(stack)
    const ask = () =>
      send(stack.gatewayUrls[0] ?? '', 'GET', `/api/v0/organizations/${own.slug}/projects`, {
        credential: own.token.credential,
      })
    expect((await ask()).status).toBe(200)
    await changeUsers((text) => text.replaceAll('"management.>"', '"management.nothing"'))
    await eventually(async () => {
      const { status, body } = await health('management', '/readyz')
      expect(status).toBe(503)
      expect(body).toMatchObject({ nats: 'ok', 'management.v1.project.list': 'unavailable' })
    })
    expect((await health('management', '/livez')).status).toBe(200)
    expect((await ask()).status).toBe(503)
    await changeUsers((text) => text.replaceAll('"management.nothing"', '"management.>"'))
    await eventually(async () => {
      expect((await health('management', '/readyz')).status).toBe(200)
    })
    expect((await ask()).status).toBe(200)
  })
})
