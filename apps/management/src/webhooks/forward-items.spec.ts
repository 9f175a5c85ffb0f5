import type { DataItem } from '@bearing/contracts/management/data/data-item'
import { expect, it } from '@jest/globals'
import { forwardItems, NOTHING_LEFT } from './forward-items.js'

const refused = { accepted: false, status: 400, error: 'status', durationMs: 1, retryAfterMs: 0 } as const

function chunk(id: string, data: string | null): DataItem {
  const common = { cursor: id, id, device_serial: id, at: '2026-11-29T12:00:00.000Z', size: 3 }
  return { kind: 'chunk', ...common, data }
}

it('an item that was erased since it was queued or is refused stops nothing', async () => {
  const sent: string[] = []
  const items = [chunk('A', 'b25l'), chunk('B', null), chunk('C', 'dHdv')]
  const outcome = await forwardItems(
    items,
    ({ id }) => {
      sent.push(id)
      return Promise.resolve(id === 'C' ? refused : NOTHING_LEFT)
    },
    () => false,
  )
  expect(sent).toEqual(['A', 'B', 'C'])
  expect(outcome).toEqual({ done: items, refused: new Set(['C']), failure: undefined })
})
