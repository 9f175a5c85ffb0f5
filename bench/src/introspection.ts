import type { PresentedCredential } from '@bearing/contracts/identity/credentials/credential'
import { introspectCredential } from '@bearing/contracts/identity/credentials/credential'
import { NatsClient } from '@bearing/nats/client'
import { connectNats } from '@bearing/nats/connection'

const CONCURRENT = 32
const ROUND_SECONDS = 4
const WARM_UP_SECONDS = 2

/**
 * Compares `identity.v1.credential.introspect` with a bare echo, both over NATS, from this process, in turns.
 *
 * @returns of each round the introspections per second, as a share of the echoes
 */
export async function compareIntrospection(
  natsUrl: string,
  credential: PresentedCredential,
  rounds: number,
): Promise<number[]> {
  const connection = await connectNats({ url: natsUrl, name: 'bench' })
  const client = new NatsClient(connection)
  const body = JSON.stringify(credential)
  const echo = () => connection.raw.request('baseline.echo', body, { timeout: 5_000 })
  const introspect = async () => {
    const answer = await client.call(introspectCredential, credential)
    if (!answer.active) throw new Error('the credential of the bench is not active')
  }
  for (const call of [echo, introspect]) await perSecond(call, WARM_UP_SECONDS)
  const ratios: number[] = []
  for (let round = 0; round < rounds; round++) {
    const bare = await perSecond(echo, ROUND_SECONDS)
    ratios.push((await perSecond(introspect, ROUND_SECONDS)) / bare)
  }
  await connection.drain()
  return ratios
}

async function perSecond(call: () => Promise<unknown>, seconds: number): Promise<number> {
  let calls = 0
  const started = performance.now()
  const end = started + seconds * 1_000
  await Promise.all(
    Array.from({ length: CONCURRENT }, async () => {
      while (performance.now() < end) {
        await call()
        calls++
      }
    }),
  )
  return (calls / (performance.now() - started)) * 1_000
}
