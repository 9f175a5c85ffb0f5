import type { DataItem } from '@bearing/contracts/management/data/data-item'
import { expect, it } from '@jest/globals'
import { forwardChunks } from './forward-chunks.js'

const accepted = { accepted: true, status: 202, error: null, durationMs: 1, retryAfterMs: 0 }

function chunk(id: string, data: string | null): DataItem {
  const common = { cursor: id, id, device_serial: id, at: '2026-11-29T12:00:00.000Z', size: 3 }
  return { kind: 'chunk', ...common, data }
}

it('a chunk that was erased since it was queued is not forwarded, and stops nothing', async () => {
  const sent: string[] = []
  const items = [chunk('A', 'b25l'), chunk('B', null), chunk('C', 'dHdv')]
  const { done, refused, failure } = await forwardChunks(
    items,
    (serial, body) => {
      sent.push(`${serial} ${Buffer.from(body).toString()}`)
      return Promise.resolve(accepted)
    },
    () => false,
  )
  expect(sent).toEqual(['A one', 'C two'])
  expect(done).toEqual(items)
  expect(refused.size).toBe(0)
  expect(failure).toBeUndefined()
})
