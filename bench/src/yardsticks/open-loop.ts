import { percentiles } from '../figures.js'
import { ReplyReader, open, type Load } from '../load.js'

/** So many that a request nearly never waits for a connection. */
const CONNECTIONS = 256

/** Latencies of requests that came by a clock, even if the ones before them were not answered. */
export interface OpenLoop {
  readonly p50Ms: number
  readonly p99Ms: number
  /** Requests that were refused. Their latency counts as endless. */
  readonly refused: number
}

/**
 * Sends requests by a clock, as devices do that know nothing of each other. A request counts from when it was due, so waiting counts.
 *
 * @param perSecond how many are due
 */
export async function askByTheClock(
  { port, requests, seconds }: Pick<Load, 'port' | 'requests' | 'seconds'>,
  perSecond: number,
): Promise<OpenLoop> {
  const latenciesMs: number[] = []
  const waiting: number[] = []
  let next = 0
  let refused = 0
  const clients = await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      const socket = await open(port)
      const reply = new ReplyReader()
      const client = { socket, dueMs: 0 }
      socket.on('data', (bytes) => {
        const status = reply.read(bytes)
        if (status === undefined) return
        const isRefused = status < 200 || status > 299
        if (isRefused) refused++
        latenciesMs.push(isRefused ? Infinity : performance.now() - client.dueMs)
        const dueMs = waiting.shift()
        if (dueMs === undefined) idle.push(client)
        else send(client, dueMs)
      })
      return client
    }),
  )
  const idle = [...clients]
  const send = (client: (typeof clients)[number], dueMs: number) => {
    client.dueMs = dueMs
    const request = requests[next++ % requests.length]
    if (request) client.socket.write(request)
  }
  const count = Math.floor(perSecond * seconds)
  const beganMs = performance.now()
  await new Promise<void>((resolve) => {
    let due = 0
    const timer = setInterval(() => {
      const reached = Math.min(count, Math.floor(((performance.now() - beganMs) / 1_000) * perSecond))
      for (; due < reached; due++) {
        const dueMs = beganMs + (due / perSecond) * 1_000
        const client = idle.pop()
        if (client) send(client, dueMs)
        else waiting.push(dueMs)
      }
      if (latenciesMs.length < count) return
      clearInterval(timer)
      resolve()
    }, 1)
  })
  for (const { socket } of clients) socket.destroy()
  return { ...percentiles(latenciesMs), refused }
}
