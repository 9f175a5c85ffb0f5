import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { eventually } from '@bearing/testing/eventually'
import { stackForSuite } from '@bearing/testing/for-suite'
import { describe, expect, it } from '@jest/globals'

const PROCESSES = 3
/** The kernel chooses a process for each: all three get some, but for once in 10¹⁷ runs. */
const REQUESTS = 100

const stack = stackForSuite({
  gateways: 1,
  services: [],
  environment: { gateway: { GATEWAY_PROCESSES: String(PROCESSES), REQUESTS_OF_STRANGERS: '0' } },
})

/** Processes that the gateway has started. */
function sharing(): number[] {
  const { pid } = stack.part('gateway-1')
  const list = execFileSync('ps', ['-A', '-o', 'ppid=,pid='], { encoding: 'utf8' })
  return list.split('\n').flatMap((line) => {
    const [parent, child] = line.trim().split(/\s+/).map(Number)
    return parent === pid && child !== undefined ? [child] : []
  })
}

/** Returns true if a process with this id exists. */
function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Sends a request over a connection of its own. */
async function ask(): Promise<number | undefined> {
  const agent = new Agent({ keepAlive: false })
  const [reply] = (await once(get(`${stack.gatewayUrls[0] ?? ''}/nothing`, { agent }), 'response')) as [
    IncomingMessage,
  ]
  reply.resume()
  await once(reply, 'end')
  return reply.statusCode
}

/** Returns the number of requests that each process has answered with 404. */
async function answered(): Promise<number[]> {
  const [host = '', port = ''] = stack.healthAddress('gateway-1').split(':')
  const addresses = Array.from({ length: PROCESSES }, (_, index) => `${host}:${String(Number(port) + index)}`)
  const texts = await Promise.all(
    addresses.map(async (address) => (await fetch(`http://${address}/metrics`)).text()),
  )
  const counts = texts.map((text) =>
    /^bearing_call_duration_seconds_count\{operation="http\.none",outcome="404"[^}]*\} (\d+)$/m.exec(text),
  )
  return counts.map((found) => Number(found?.[1] ?? 0))
}

describe('a gateway of several processes', () => {
  it('answers on one port with all of them, and counts for each', async () => {
    expect(sharing()).toHaveLength(PROCESSES)
    await eventually(async () => {
      expect(await ask()).toBe(404)
    })
    for (let sent = 0; sent < REQUESTS; sent++) expect(await ask()).toBe(404)
    const counts = await answered()
    expect(Math.min(...counts)).toBeGreaterThan(0)
    expect(counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(REQUESTS)
  })

  it('ends as a whole if one of them crashes, so that whatever started it starts all again', async () => {
    const [first = 0, ...others] = sharing()
    process.kill(first, 'SIGKILL')
    await eventually(() => {
      expect([stack.part('gateway-1').pid, ...others].filter(exists)).toEqual([])
    })
  })

  it('lets all of them end in good order', async () => {
    await stack.part('gateway-1').restart()
    const some = sharing()
    expect(some).toHaveLength(PROCESSES)
    await stack.part('gateway-1').stop()
    expect(some.filter(exists)).toEqual([])
  })
})
