import type { PresentedCredential } from '@bearing/contracts/identity/credential'
import { introspectCredential } from '@bearing/contracts/identity/credential'
import { NatsClient } from '@bearing/nats/client'
import { connectNats } from '@bearing/nats/connection'
import { figuresOf, line } from './figures.js'
import type { Round } from './load.js'

const CONCURRENT = 32
const ROUND_SECONDS = 4
const ROUNDS = 4

/** Compares `identity.v1.credential.introspect` with a bare echo, both over NATS, from this process. */
export async function compareIntrospection(
  natsUrl: string,
  credential: PresentedCredential,
): Promise<number> {
  process.stdout.write(`\nIntrospection over NATS (${String(CONCURRENT)} at a time)\n`)
  const connection = await connectNats({ url: natsUrl, name: 'bench' })
  const client = new NatsClient(connection)
  const body = JSON.stringify(credential)
  const echo = () => connection.raw.request('baseline.echo', body, { timeout: 5_000 })
  const introspect = async () => {
    const answer = await client.call(introspectCredential, credential)
    if (!answer.active) throw new Error('the credential of the bench is not active')
  }
  const sides = [
    { name: 'bare NATS echo', call: echo, rounds: [] as Round[] },
    { name: 'introspect', call: introspect, rounds: [] as Round[] },
  ]
  for (const side of sides) await round(side.call, 2)
  for (let i = 0; i < ROUNDS; i++)
    for (const side of sides) side.rounds.push(await round(side.call, ROUND_SECONDS))
  await connection.drain()
  const [bare, ours] = sides.map((side) => figuresOf(side.rounds))
  if (!bare || !ours) throw new Error('unreachable: there are two sides')
  const ratio = ours.perSecond / bare.perSecond
  process.stdout.write(`${line('bare NATS echo', bare, 1)}\n${line('introspect', ours, ratio)}\n`)
  return ratio
}

async function round(call: () => Promise<unknown>, seconds: number): Promise<Round> {
  const latenciesMs: number[] = []
  const started = performance.now()
  const end = started + seconds * 1_000
  await Promise.all(
    Array.from({ length: CONCURRENT }, async () => {
      while (performance.now() < end) {
        const sentAt = performance.now()
        await call()
        latenciesMs.push(performance.now() - sentAt)
      }
    }),
  )
  return {
    requests: latenciesMs.length,
    seconds: (performance.now() - started) / 1_000,
    latenciesMs,
    failures: 0,
  }
}
