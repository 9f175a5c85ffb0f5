import { execFile } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'

const KEY = Buffer.alloc(32, 7)
const SECRET = `whsec_${KEY.toString('base64')}`
const BODY = '{"type":"webhook.test"}'

describe('how docs/webhooks.md verifies a delivery', () => {
  let directory: string
  let blocks: Record<string, string>

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'bearing-webhooks-'))
    const text = await readFile(join(import.meta.dirname, '../../docs/webhooks.md'), 'utf8')
    const found = [...text.matchAll(/```(ts|sh)\n(.*?)```/gs)]
    blocks = Object.fromEntries(found.map(([, language = '', code = '']) => [language, code]))
    const program = `${blocks['ts'] ?? ''}
const { WEBHOOK_ID, WEBHOOK_TIMESTAMP, WEBHOOK_SIGNATURE, WEBHOOK_SECRET = '', BODY = '' } = process.env
const headers = { 'webhook-id': WEBHOOK_ID, 'webhook-timestamp': WEBHOOK_TIMESTAMP, 'webhook-signature': WEBHOOK_SIGNATURE }
verify(headers, BODY, WEBHOOK_SECRET)`
    await writeFile(join(directory, 'verify.mts'), program)
    await writeFile(join(directory, 'verify.sh'), blocks['sh'] ?? '')
  })

  afterAll(() => rm(directory, { recursive: true }))

  const headersAt = (seconds: number) => {
    const signature = createHmac('sha256', KEY)
      .update(`an-id.${String(seconds)}.${BODY}`)
      .digest('base64')
    return {
      WEBHOOK_ID: 'an-id',
      WEBHOOK_TIMESTAMP: String(seconds),
      WEBHOOK_SIGNATURE: `v1,${Buffer.alloc(32).toString('base64')} v1,${signature}`,
    }
  }

  /** @returns the exit code */
  async function run(command: string, args: string[], environment: Record<string, string>): Promise<number> {
    const { BODY: body = BODY, ...rest } = environment
    await writeFile(join(directory, 'body.json'), body)
    const env = { PATH: process.env['PATH'], WEBHOOK_SECRET: SECRET, BODY: body, ...rest }
    return await new Promise((resolve) => {
      const child = execFile(command, args, { cwd: directory, env }, () => resolve(child.exitCode ?? -1))
    })
  }

  const now = () => Math.floor(Date.now() / 1_000)
  const cases = () => ({
    right: headersAt(now()),
    'another body': { ...headersAt(now()), BODY: `${BODY} ` },
    'another secret': {
      ...headersAt(now()),
      WEBHOOK_SECRET: `whsec_${Buffer.alloc(32, 8).toString('base64')}`,
    },
    'another id': { ...headersAt(now()), WEBHOOK_ID: 'another' },
    'no signature': { ...headersAt(now()), WEBHOOK_SIGNATURE: '' },
  })

  it('in TypeScript', async () => {
    for (const [name, environment] of Object.entries(cases()))
      expect([name, await run(process.execPath, ['verify.mts'], environment)]).toEqual([
        name,
        name === 'right' ? 0 : 1,
      ])
    expect(await run(process.execPath, ['verify.mts'], headersAt(now() - 600))).toBe(1)
  })

  it('in a shell', async () => {
    for (const [name, environment] of Object.entries(cases()))
      expect([name, await run('sh', ['verify.sh'], environment)]).toEqual([name, name === 'right' ? 0 : 1])
  })
})
