import type { CallOutput } from '@bearing/client/call-types'
import { expect, it } from '@jest/globals'
import { id } from '../testing/fake-gateway.js'
import { runAgainst as run } from '../testing/run-against.js'

it('bearing webhooks redeliver repeats the call with the same time until nothing is left, and prints the sums', async () => {
  const asked: unknown[] = []
  const replies: CallOutput<'redeliverWebhook'>[] = [
    { redelivered: 10_000, unavailable: 2, has_more: true },
    { redelivered: 1, unavailable: 2, has_more: false },
  ]
  const { code, stderr } = await run(
    {
      redeliverWebhook: ({ since, delivery_id }) => {
        asked.push({ since, delivery_id })
        return replies[asked.length - 1] ?? { redelivered: 0, unavailable: 0, has_more: false }
      },
    },
    ['webhooks', 'redeliver', id(6), '--since', '2026-12-25'],
  )
  expect(code).toBe(0)
  expect(asked).toEqual(Array(2).fill({ since: '2026-12-25T00:00:00.000Z', delivery_id: undefined }))
  expect(stderr).toContain('10,001 deliveries')
  expect(stderr).toContain('Not queued: 2 deliveries')
})

it('bearing webhooks redeliver sends one delivery, named by its id', async () => {
  const { code, stderr } = await run(
    {
      redeliverWebhook: ({ since, delivery_id }) => {
        expect([since, delivery_id]).toEqual([undefined, id(7)])
        return { redelivered: 1, unavailable: 0, has_more: false }
      },
    },
    ['webhooks', 'redeliver', id(6), '--delivery', id(7)],
  )
  expect(code).toBe(0)
  expect(stderr).toContain('1 delivery.')
})
