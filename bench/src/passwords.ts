import type { Socket } from 'node:net'
import type { Stack } from '@bearing/testing/stack'
import { figuresOf, line } from './figures.js'
import { ReplyReader, httpRequest, open, run, type Round } from './load.js'

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
  const count = (status: number) => statuses.set(status, (statuses.get(status) ?? 0) + 1)
  const clients = await Promise.all(
    Array.from({ length: ADDRESSES }, (_, number) => Client.connect(port, number, count)),
  )
  for (let i = 0; i < ROUNDS; i++) {
    alone.push(await measure(ROUND_SECONDS))
    const attack = tryPasswords(clients)
    attacked.push(await measure(ROUND_SECONDS))
    await attack.stop()
  }
  for (const client of clients) client.end()
  const [bare, under] = [figuresOf(alone), figuresOf(attacked)]
  const ratio = under.perSecond / bare.perSecond
  process.stdout.write(`${line('alone', bare, 1)}\n${line('under wrong passwords', under, ratio)}\n`)
  const answers = [...statuses]
    .sort(([a], [b]) => a - b)
    .map(([status, count]) => `${String(status)}: ${String(count)}`)
  process.stdout.write(`answers to the wrong passwords: ${answers.join(', ')}\n`)
  return ratio
}

/** Tries passwords at an even pace, whether or not they are answered. */
function tryPasswords(clients: readonly Client[]): { stop(): Promise<void> } {
  let tried = 0
  const started = performance.now()
  const timer = setInterval(() => {
    const due = ((performance.now() - started) / 1_000) * WRONG_PER_SECOND
    for (; tried < due; tried++) clients[tried % clients.length]?.tryOne()
  }, 5)
  return {
    stop: async () => {
      clearInterval(timer)
      await Promise.all(clients.map((client) => client.answered()))
    },
  }
}

let attempts = 0

/** One address: it tries one password after the other on its connection. */
class Client {
  private readonly reply = new ReplyReader()
  private due = 0
  private idle: (() => void) | undefined

  private constructor(
    private readonly socket: Socket,
    count: (status: number) => void,
  ) {
    socket.on('data', (chunk) => {
      const status = this.reply.read(chunk)
      if (status === undefined) return
      count(status)
      this.due--
      if (this.due > 0) this.send()
      else this.idle?.()
    })
  }

  /** @param number names the address: 0 to {@link ADDRESSES} */
  static async connect(port: number, number: number, count: (status: number) => void): Promise<Client> {
    const address = `127.1.${String(number >> 8)}.${String(number & 255 || 1)}`
    return new Client(await open(port, address), count)
  }

  tryOne(): void {
    this.due++
    if (this.due === 1) this.send()
  }

  answered(): Promise<void> {
    return this.due === 0 ? Promise.resolve() : new Promise((resolve) => (this.idle = resolve))
  }

  end(): void {
    this.socket.destroy()
  }

  private send(): void {
    const number = String(++attempts)
    const credential = Buffer.from(`account-${number}@example.com:wrong password ${number}`)
    const authorization = `Basic ${credential.toString('base64')}`
    this.socket.write(httpRequest('GET', '/auth/me', { authorization }))
  }
}
