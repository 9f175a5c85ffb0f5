import { PassThrough } from 'node:stream'
import { describe, expect, it } from '@jest/globals'
import { commandTree, leavesOf } from './reference/command-tree.js'
import { run } from './run.js'
import { CREATED_AT, fakeGateway, id, type Answers } from '../testing/fake-gateway.js'

const webhook = '/api/v0/organizations/acme/projects/gate/webhooks'
const position = '/v1/organizations/acme/projects/gate/location/devices/UNIT-7/positions'

/** Runs a command in this process: on a terminal where a user types the answer, or without one. */
async function running(args: readonly string[], typed: string | undefined) {
  const answers: Answers = {
    deleteWebhook: () => ({}),
    deleteDevicePositions: () => ({
      ...{ device_serial: 'UNIT-7', deleted_at: CREATED_AT },
      ...{ deleted: { positions: 3 }, left: { positions: 0 } },
    }),
  }
  await using gateway = await fakeGateway(answers)
  const stdin = Object.assign(new PassThrough(), { isTTY: typed !== undefined })
  const stdout = new PassThrough()
  const stderr = new PassThrough()
  let said = ''
  stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
  stdout.resume()
  const settings = { url: gateway.url, orgToken: 'T0ken', org: 'acme', project: 'gate' }
  stdin.end(typed === undefined ? '' : `${typed}\n`)
  const code = await run(args, {
    stdin,
    // Streams as far as the command line uses them.
    stdout: stdout as unknown as NodeJS.WriteStream,
    stderr: stderr as unknown as NodeJS.WriteStream,
    environment: { settings, noColor: true },
    now: Date.now,
    signal: new AbortController().signal,
  })
  return { code, said, requests: gateway.requests }
}

describe('a command that deletes', () => {
  const args = ['webhooks', 'delete', id(6)]
  const deleted = [`DELETE ${webhook}/${id(6)}`]

  it('asks on a terminal, and does nothing unless the answer is yes', async () => {
    for (const answer of ['', 'n', 'nonsense', 'yess']) {
      const ran = await running(args, answer)
      expect(ran).toMatchObject({ code: 2, requests: [] })
      expect(ran.said).toContain('Delete the webhook with its deliveries? [y/N]')
    }
    expect(await running(args, 'y')).toMatchObject({ code: 0, requests: deleted })
  })

  it('does not ask with --yes, nor without a terminal, where scripts run', async () => {
    for (const [more, typed] of [
      [['--yes'], ''],
      [['-y'], ''],
      [[], undefined],
    ] as const) {
      const ran = await running([...args, ...more], typed)
      expect(ran).toMatchObject({ code: 0, requests: deleted })
      expect(ran.said).not.toContain('[y/N]')
    }
  })
})

describe('a command that wants a name typed again', () => {
  const args = ['positions', 'delete', 'UNIT-7']
  const deleted = [`DELETE ${position}`]

  it('asks on a terminal, and does nothing unless it is that name', async () => {
    expect(await running(args, 'UNIT-8')).toMatchObject({ code: 2, requests: [] })
    expect(await running(args, 'UNIT-7')).toMatchObject({ code: 0, requests: deleted })
  })

  it('is refused without a terminal, unless --confirm or --yes is given', async () => {
    const refused = await running(args, undefined)
    expect(refused).toMatchObject({ code: 2, requests: [] })
    expect(refused.said).toContain('--yes, or --confirm UNIT-7')
    expect(await running([...args, '--confirm', 'UNIT-8'], undefined)).toMatchObject({
      code: 2,
      requests: [],
    })
    for (const flags of [['--confirm', 'UNIT-7'], ['--yes']])
      expect(await running([...args, ...flags], undefined)).toMatchObject({ code: 0, requests: deleted })
  })
})

it('every command that deletes, removes, erases or rotates takes --yes, or asks for a code', async () => {
  const without = leavesOf(await commandTree())
    .filter(([path]) => /^(?:delete|remove|erase|rotate|delete-.*)$/.test(path.at(-1) ?? ''))
    .filter(([, command]) => !command.options.some(({ long }) => long === '--yes'))
    .map(([path]) => path.join(' '))
  expect(without).toEqual(['totp delete', 'totp recovery-codes rotate'])
})
