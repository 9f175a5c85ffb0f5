import { page } from '@bearing/contracts/primitives'
import { expect, it } from '@jest/globals'
import { CREATED_AT, id, type Answers } from '../testing/fake-gateway.js'
import { runAgainst as run } from '../testing/run-against.js'

it('bearing webhooks deliveries shows when each delivery was created, to the second', async () => {
  const answers: Answers = {
    listWebhookDeliveries: (input) =>
      page(
        [
          {
            ...{ id: id(7), event: 'device.first_seen', device_serial: 'D-1', state: 'delivered' as const },
            ...{ attempts: 1, status: 204, error: null, duration_ms: 12 },
            ...{ created_at: CREATED_AT, last_attempt_at: CREATED_AT, next_attempt_at: null },
          },
        ],
        1,
        input,
      ),
  }
  const { code, stdout } = await run(answers, ['webhooks', 'deliveries', 'list', id(6)])
  expect(code).toBe(0)
  expect(stdout).toMatch(/^CREATED +EVENT/)
  expect(stdout).toContain('2026-01-31 09:00:00 UTC  device.first_seen')
})
