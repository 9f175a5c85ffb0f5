import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { OperationError } from '@bearing/contracts/errors'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { run } from '../program/run.js'
import { CREATED_AT, fakeGateway, id, type Answers } from '../testing/fake-gateway.js'

const TOKEN = `brgs_${'Planted0'.repeat(8)}Planted`

describe('a command of a login whose session has to be confirmed', () => {
  let configFolder: string

  beforeAll(async () => {
    configFolder = await mkdtemp(join(tmpdir(), 'bearing-confirm-'))
  })
  afterAll(() => rm(configFolder, { recursive: true }))

  /** Runs a command in this process, on a terminal where a user types lines, or without one. */
  async function running(typed: readonly string[] | undefined) {
    const confirmed: unknown[] = []
    const answers: Answers = {
      whoAmI: () => ({
        ...{
          kind: 'user',
          user_id: id(1),
          email: 'ann@acme.example',
          credential_id: id(2),
          proof: 'session',
        },
        ...{ second_factor: true, grants: [] },
      }),
      confirmSession: (input) => {
        confirmed.push(input)
        return {}
      },
      deleteUserKey: () => {
        if (confirmed.length === 0) throw new OperationError('recent_sign_in_required', 'Confirm it.')
        return { id: id(5), created_at: CREATED_AT, expires_at: null, second_factor: false }
      },
    }
    await using gateway = await fakeGateway(answers)
    const contexts = { current: 'ours', contexts: { ours: { url: gateway.url, stored_in: 'file' } } }
    for (const [name, content] of Object.entries({ contexts, credentials: { ours: TOKEN } }))
      await writeFile(join(configFolder, `${name}.json`), JSON.stringify(content), { mode: 0o600 })
    const stdin = Object.assign(new PassThrough(), { isTTY: typed !== undefined })
    const [stdout, stderr] = [new PassThrough(), new PassThrough()]
    let said = ''
    stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
    stdout.resume()
    stdin.end(typed?.map((line) => `${line}\n`).join('') ?? '')
    const code = await run(['user-key', 'delete', '--yes'], {
      stdin,
      // Streams as far as the command line uses them.
      stdout: stdout as unknown as NodeJS.WriteStream,
      stderr: stderr as unknown as NodeJS.WriteStream,
      environment: { settings: {}, noColor: true, configFolder },
      now: Date.now,
      signal: new AbortController().signal,
    })
    return { code, said, confirmed, requests: gateway.requests }
  }

  it('asks on a terminal for the password and the code, confirms, and sends the request again', async () => {
    const ran = await running(['correct horse battery', '123456'])
    expect(ran).toMatchObject({
      code: 0,
      confirmed: [{ password: 'correct horse battery', totp_code: '123456' }],
    })
    expect(ran.requests).toEqual([
      'DELETE /auth/api_key',
      'GET /auth/me',
      'POST /auth/session/confirm',
      'DELETE /auth/api_key',
    ])
    expect(ran.said).not.toContain('correct horse battery')
  })

  it('asks nobody without a terminal, and says what to do', async () => {
    const ran = await running(undefined)
    expect(ran).toMatchObject({ code: 1, confirmed: [], requests: ['DELETE /auth/api_key'] })
    expect(ran.said).toContain('On a terminal the command asks for the account password')
  })
})
