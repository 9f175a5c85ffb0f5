import { generateKeyPairSync, randomUUID, type KeyObject } from 'node:crypto'
import { introspectCredential } from '@bearing/contracts/identity/credentials/credential'
import { NatsClient } from '@bearing/nats/client'
import { connectNats } from '@bearing/nats/connection'
import type { TestOrganization } from '@bearing/testing/factories'
import type { Stack } from '@bearing/testing/stack'
import { calculateJwkThumbprint, compactVerify, SignJWT } from 'jose'
import { processorSeconds } from './yardsticks/processor-time.js'

/** One key may sign 120 new tokens a minute. */
const TOKENS_OF_KEY = 100
const KEYS = 40
const CONCURRENT = 32
/** Gateways name the client of each call. */
const CLIENT = '203.0.113.7'

/** A device that signs tokens. */
export interface Device {
  readonly serial: string
  readonly publicKey: KeyObject
  readonly privateKey: KeyObject
}

/** Returns a token of a new device of the project, which accepts such tokens from now on. */
export async function newDeviceToken(organization: TestOrganization): Promise<string> {
  const [device] = await newDevices(organization, 1)
  if (!device) throw new Error('unreachable: one device was created')
  return sign(device)
}

/**
 * Verifies tokens that identity has not seen, each once.
 *
 * @returns of each round the tokens per second of processor time of identity, as a share of those of the library alone
 */
export async function measureFreshTokens(
  stack: Stack,
  organization: TestOrganization,
  rounds: number,
): Promise<number[]> {
  const connection = await connectNats({ url: stack.natsUrl, name: 'bench' })
  const client = new NatsClient(connection)
  const pids = [stack.part('identity').pid]
  const shares: number[] = []
  // The first one warms up.
  for (let round = 0; round <= rounds; round++) {
    const devices = await newDevices(organization, KEYS)
    const tokens = await Promise.all(
      devices.flatMap((device) =>
        Array.from({ length: TOKENS_OF_KEY }, async () => ({ device, token: await sign(device) })),
      ),
    )
    const before = await processorSeconds(pids)
    const waiting = [...tokens]
    const introspect = async () => {
      for (let next = waiting.pop(); next; next = waiting.pop()) {
        const credential = { kind: 'device_token', token: next.token } as const
        const { active } = await client.call(introspectCredential, credential, { clientAddress: CLIENT })
        if (!active) throw new Error('a token of the bench is not active')
      }
    }
    await Promise.all(Array.from({ length: CONCURRENT }, introspect))
    const ours = (await processorSeconds(pids)) - before
    const { user, system } = process.cpuUsage()
    for (const { device, token } of tokens) await compactVerify(token, device.publicKey)
    const library = process.cpuUsage({ user, system })
    if (round > 0) shares.push((library.user + library.system) / 1e6 / ours)
  }
  await connection.drain()
  return shares
}

/** Creates devices whose tokens their project accepts. */
export async function newDevices(organization: TestOrganization, count: number): Promise<Device[]> {
  const { admin, slug, project } = organization
  const at = { organization: slug, project: project.slug }
  await admin.client.call('changeProjectSettings', {
    ...{ ...at, project_key_may_locate: false, device_identity: 'optional' },
  })
  const devices = Array.from({ length: count }, () => ({
    serial: `BENCH-${randomUUID()}`,
    ...generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  }))
  const keys = devices.map(({ serial, publicKey }) => ({
    device_serial: serial,
    public_key: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  }))
  await admin.client.call('importDeviceKeys', { ...at, keys })
  return devices
}

/** Signs a token that no other one is equal to. */
export async function sign({ serial, publicKey, privateKey }: Device): Promise<string> {
  const kid = await calculateJwkThumbprint(publicKey.export({ format: 'jwk' }))
  return new SignJWT({ sub: serial, jti: randomUUID() })
    .setProtectedHeader({ alg: 'ES256', kid })
    .setExpirationTime('12h')
    .sign(privateKey)
}
