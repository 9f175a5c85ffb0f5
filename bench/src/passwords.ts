import { Agent, request } from 'node:http'
import type { Stack } from '@bearing/testing/stack'
import { figuresOf, line } from './figures.js'
import { run, type Round } from './load.js'

const WRONG_PER_SECOND = 200
const CONNECTIONS = 32
const ROUND_SECONDS = 6
const ROUNDS = 4
const WARM_UP_SECONDS = 3
/**
 * So many that neither an address nor an account is slowed down for long: what is measured is the hashing. Each keeps its
 * connection, as the load balancer does that TLS ends at: opening 200 a second would be the generator's cost, not ours.
 */
const ADDRESSES = 250

/**
 * Compares requests with a token alone with the same while others try 200 wrong passwords a second, each for another
 * account and from one of many addresses of this machine.
 *
 * @param requests with a token
 * @returns the ratio of requests per second
 */
export async function comparePasswords(stack: Stack, requests: readonly Buffer[]): Promise<number> {
  process.stdout.write(
    `\nRequests with a token, while ${String(WRONG_PER_SECOND)} wrong passwords a second come (${String(CONNECTIONS)} connections)\n`,
  )
  const port = Number(new URL(stack.gatewayUrls[0] ?? '').port)
  const measure = (seconds: number) => run({ port, requests, connections: CONNECTIONS, seconds })
  await measure(WARM_UP_SECONDS)
  const alone: Round[] = []
  const attacked: Round[] = []
  const statuses = new Map<number, number>()
  for (let i = 0; i < ROUNDS; i++) {
    alone.push(await measure(ROUND_SECONDS))
    const attack = tryPasswords(port, statuses)
    attacked.push(await measure(ROUND_SECONDS))
    await attack.stop()
  }
  const [bare, under] = [figuresOf(alone), figuresOf(attacked)]
  const ratio = under.perSecond / bare.perSecond
  process.stdout.write(`${line('alone', bare, 1)}\n${line('under wrong passwords', under, ratio)}\n`)
  const told = [...statuses]
    .sort(([a], [b]) => a - b)
    .map(([status, count]) => `${String(status)}: ${String(count)}`)
  process.stdout.write(`answers to the wrong passwords: ${told.join(', ')}\n`)
  return ratio
}

/** Tries passwords at an even pace, whether or not they are answered. */
function tryPasswords(port: number, statuses: Map<number, number>): { stop(): Promise<void> } {
  const underWay = new Set<Promise<void>>()
  let tried = 0
  const started = performance.now()
  const timer = setInterval(() => {
    const due = ((performance.now() - started) / 1_000) * WRONG_PER_SECOND
    for (; tried < due; tried++) {
      const attempt = tryPassword(port, statuses).finally(() => underWay.delete(attempt))
      underWay.add(attempt)
    }
  }, 5)
  return {
    stop: async () => {
      clearInterval(timer)
      await Promise.all(underWay)
    },
  }
}

let attempts = 0
const agents = new Map<string, Agent>()

function agentOf(localAddress: string): Agent {
  const known = agents.get(localAddress)
  if (known) return known
  const agent = new Agent({ keepAlive: true, localAddress })
  agents.set(localAddress, agent)
  return agent
}

function tryPassword(port: number, statuses: Map<number, number>): Promise<void> {
  const number = ++attempts
  const address = number % ADDRESSES
  const credential = Buffer.from(`account-${String(number)}@example.com:wrong password ${String(number)}`)
  return new Promise((resolve, reject) => {
    request({
      port,
      host: '127.0.0.1',
      path: '/auth/me',
      agent: agentOf(`127.1.${String(address >> 8)}.${String(address & 255 || 1)}`),
      headers: { authorization: `Basic ${credential.toString('base64')}` },
    })
      .on('response', (response) => {
        const status = response.statusCode ?? 0
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        response.resume().on('end', resolve)
      })
      .on('error', reject)
      .end()
  })
}
