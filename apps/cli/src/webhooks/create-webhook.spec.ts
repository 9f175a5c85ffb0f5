import { OperationError } from '@bearing/contracts/errors'
import { describe, expect, it } from '@jest/globals'
import { CREATED_AT, id, type Answers } from '../testing/fake-gateway.js'
import { runAgainst } from '../testing/run-against.js'

const LISTEN = '"bearing webhooks listen <port>" sends it the events.'
const webhook = (url: string) => ({
  ...{
    id: id(6),
    kind: 'webhook' as const,
    url,
    description: null,
    events: ['device.first_seen' as const],
    state: 'active' as const,
  },
  ...{ paused_reason: null, paused_at: null, failing_since: null, previous_secret_until: null },
  created_at: CREATED_AT,
})
const delivery = {
  ...{ id: id(7), event: 'webhook.test' as const, device_serial: null, state: 'failed' as const },
  ...{ attempts: 1, status: null, error: 'unreachable' as const, duration_ms: 1 },
  ...{ created_at: CREATED_AT, last_attempt_at: CREATED_AT, next_attempt_at: null },
}
const answers: Answers = {
  createWebhook: ({ url }) => ({ ...webhook(url), secret: `whsec_${'A'.repeat(43)}=` }),
  changeWebhook: ({ url = '' }) => webhook(url),
  testWebhook: () => delivery,
}

describe('bearing webhooks says what to do for a receiver on this machine', () => {
  it.each(['https://localhost/', 'http://LOCALHOST.:9797/', 'https://hooks.localhost/'])(
    'if the URL has the name %s, which the server resolves only when it sends',
    async (url) => {
      for (const args of [
        ['create', url],
        ['set', id(6), '--address', url],
      ]) {
        const { code, stderr } = await runAgainst(answers, ['webhooks', ...args])
        expect(code).toBe(0)
        expect(stderr).toContain('"localhost" is the machine that Bearing runs on')
        expect(stderr).toContain(LISTEN)
      }
    },
  )

  it('and not of other names, and of addresses that the server has accepted', async () => {
    for (const url of ['https://hooks.example.com/', 'https://localhost.example.com/', 'http://127.0.0.1/']) {
      const { code, stderr } = await runAgainst(answers, ['webhooks', 'create', url])
      expect(code).toBe(0)
      expect(stderr).not.toContain('listen')
    }
  })

  it('if the server refuses the URL, or could not reach it', async () => {
    const refusing: Answers = {
      createWebhook: () => {
        const errors = [{ pointer: '/url', detail: 'must be a URL that Bearing may send to: it is private' }]
        throw new OperationError('invalid_input', 'The URL of the webhook is not allowed.', { errors })
      },
    }
    const refused = await runAgainst(refusing, ['webhooks', 'create', 'https://10.0.0.1/'])
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain(LISTEN)
    const tested = await runAgainst(answers, ['webhooks', 'test', id(6)])
    expect(tested.code).toBe(1)
    expect(tested.stderr).toContain(LISTEN)
  })
})

it('bearing webhooks create repeats a call without a reply under the same Idempotency-Key, so it makes one webhook', async () => {
  const keys: unknown[] = []
  const losing: Answers = {
    createWebhook: ({ url }, headers) => {
      keys.push(headers['idempotency-key'])
      if (keys.length === 1) throw new OperationError('deadline_exceeded', 'Too late.', { retry_after: 0 })
      return { ...webhook(url), secret: 'whsec_AA==' }
    },
  }
  const { code, stdout } = await runAgainst(losing, ['webhooks', 'create', 'https://hooks.example.com/'])
  expect([code, stdout]).toEqual([0, expect.stringContaining('whsec_AA==')])
  expect(keys).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), keys[0]])
})
