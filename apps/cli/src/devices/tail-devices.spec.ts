import { PassThrough } from 'node:stream'
import type { CallOutput } from '@bearing/client/call-types'
import { describe, expect, it } from '@jest/globals'
import { run } from '../program/run.js'
import { CREATED_AT, fakeGateway, id } from '../testing/fake-gateway.js'
import { runAgainst } from '../testing/run-against.js'

const device = (n: number, second: number): CallOutput<'showDevice'> => ({
  ...{ id: id(n), device_serial: `D-${String(n)}`, hardware_version: null, software_type: null },
  ...{ software_version: 'v1\u001b[2J', first_seen_at: CREATED_AT, chunk_count: second, chunk_bytes: 0 },
  ...{ last_seen_at: `2026-01-31T09:00:0${String(second)}.000Z`, nickname: null },
  ...{ registered_at: null, sampling: {} },
})
/** Content of the list at each request; the last one stays. */
const POLLS = [[device(1, 1)], [device(1, 1)], [device(3, 5), device(2, 4), device(1, 1)]]

/** Runs until it has printed two lines, then interrupts. */
async function tailing(...flags: string[]) {
  let asked = 0
  let query: unknown
  await using gateway = await fakeGateway({
    listDevices: (input) => {
      query = input
      const data = POLLS[Math.min(asked++, POLLS.length - 1)] ?? []
      const paging = {
        page: 1,
        per_page: 1_000,
        page_count: 1,
        item_count: data.length,
        total_count: data.length,
      }
      return { data, paging, next: null }
    },
  })
  const interrupted = new AbortController()
  const stdout = new PassThrough()
  let printed = ''
  stdout.on('data', (chunk: Buffer) => {
    printed += chunk.toString()
    if (printed.split('\n').length > 2) interrupted.abort(new Error('Interrupted.'))
  })
  const settings = { url: gateway.url, orgToken: 'T0ken', org: 'acme', project: 'gate' }
  const code = await run(['devices', 'tail', '--interval', '1', ...flags], {
    stdin: new PassThrough(),
    // Streams as far as the command line uses them.
    stdout: stdout as unknown as NodeJS.WriteStream,
    stderr: new PassThrough().resume() as unknown as NodeJS.WriteStream,
    environment: { settings, noColor: true },
    now: () => Date.parse('2026-01-31T09:10:00Z'),
    signal: interrupted.signal,
  })
  return { code, lines: printed.trimEnd().split('\n'), query, asked }
}

describe('bearing devices tail', () => {
  it('prints each device that has sent data since the request before, the first ones first', async () => {
    const { code, lines, query, asked } = await tailing()
    expect(lines).toEqual([
      '2026-01-31 09:00:04 UTC  D-2  v1\\u001b[2J  4 chunks',
      '2026-01-31 09:00:05 UTC  D-3  v1\\u001b[2J  5 chunks',
    ])
    expect({ code, asked }).toEqual({ code: 130, asked: 3 })
    expect(query).toMatchObject({ last_seen_after: '2026-01-31T09:05:00.000Z', sort: '-last_seen' })
  })

  it('prints a line of JSON for each with -o ndjson', async () => {
    const { lines } = await tailing('-o', 'ndjson')
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([device(2, 4), device(3, 5)])
  })

  it.each([[['-o', 'csv']], [['--interval', '0']]])('refuses %j', async (flags) => {
    expect(await runAgainst({}, ['devices', 'tail', ...flags])).toMatchObject({ code: 2, requests: [] })
  })
})
