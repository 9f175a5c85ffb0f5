import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Stack } from '@bearing/testing/stack'
import { Client } from 'pg'
import { compareHttp } from './compare-http.js'
import { httpRequest } from './load.js'

/** Devices that send, and bytes of a chunk: what fits into a few packets of a radio. */
const DEVICES = 200
const CHUNK_BYTES = 500

interface Target {
  readonly baseline: number
  readonly gateway: number
  readonly key: Record<string, string>
}

/** Chunks accepted per second, and how fast they are stored behind that. */
export async function compareChunks(stack: Stack, { baseline, gateway, key }: Target): Promise<void> {
  const type = { 'Content-Type': 'application/octet-stream' }
  const body = randomBytes(CHUNK_BYTES / 2).toString('hex')
  const began = performance.now()
  const requests = Array.from({ length: DEVICES }, (_, i) =>
    httpRequest('POST', `/api/v0/chunks/BENCH-${String(i)}`, { ...type, ...key }, body),
  )
  const management = stack.part('management')
  await compareHttp(`Chunks of ${String(CHUNK_BYTES)} bytes`, [
    {
      name: 'bare Fastify → JetStream',
      port: baseline,
      requests: [httpRequest('POST', '/store', type, body)],
    },
    { name: 'gateway → JetStream, stored meanwhile', port: gateway, requests },
    {
      // The cost of accepting alone: in production management and Postgres have machines of their own.
      name: 'gateway → JetStream, stored afterwards',
      port: gateway,
      requests,
      around: async (measure) => {
        process.kill(management.pid, 'SIGSTOP')
        try {
          return await measure()
        } finally {
          process.kill(management.pid, 'SIGCONT')
          await drained(stack)
        }
      },
    },
  ])
  const sent = await drained(stack)
  const seconds = (performance.now() - began) / 1_000
  process.stdout.write(
    `  management has stored all ${String(sent)} of them ${seconds.toFixed(1)} s after the first, ${(sent / seconds).toFixed(0)}/s, while others were measured too\n`,
  )
}

/** Waits until nothing more is stored, and returns how many there are. */
async function drained(stack: Stack): Promise<number> {
  const client = new Client({ connectionString: stack.adminDatabaseUrl })
  await client.connect()
  try {
    for (let before = -1; ;) {
      const { rows } = await client.query<{ chunks: string }>(
        'SELECT coalesce(sum(chunk_count), 0) AS chunks FROM management.devices',
      )
      const chunks = Number(rows[0]?.chunks)
      if (chunks === before) return chunks
      before = chunks
      await sleep(2_000)
    }
  } finally {
    await client.end()
  }
}
