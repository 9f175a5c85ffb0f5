import { introspectCredential } from '@bearing/contracts/identity/credentials/credential'
import { NatsClient } from '@bearing/nats/client'
import type { Connection } from '@bearing/nats/connection'
import { newOrganization } from '@bearing/testing/factories'
import type { Stack } from '@bearing/testing/stack'
import pg from 'pg'
import { newDevices, sign, type Device } from '../device-tokens.js'
import { residentBytes } from '../yardsticks/processor-time.js'
import { restartWithMemory } from './store-places.js'

/** Devices that sign tokens, among all: as many as one request may register, and each may sign 120 a minute. */
const DEVICES = 250
const THROUGH_GATEWAY = 5_000
const MIB = 1024 * 1024

/** Verifies tokens of random devices that nothing has seen, one after the other. */
export class DeviceKeys {
  private constructor(
    private readonly client: NatsClient,
    private readonly stack: Stack,
    private readonly devices: readonly Device[],
  ) {}

  /** Stores keys of other devices that nobody has, and those of devices that sign. */
  static async open(connection: Connection, stack: Stack, keys: number): Promise<DeviceKeys> {
    await restartWithMemory(stack)
    const admin = new pg.Client({
      connectionString: stack.adminDatabaseUrl,
      options: '-c search_path=identity',
    })
    await admin.connect()
    const { rows: indexes } = await admin.query<{ name: string; definition: string }>(
      `SELECT indexname AS name, indexdef AS definition FROM pg_indexes
       WHERE tablename = 'device_keys' AND indexname <> 'device_keys_pkey'`,
    )
    // To build them again takes a fraction of what each row takes in them.
    for (const { name } of indexes) await admin.query(`DROP INDEX "${name}"`)
    await admin.query(
      `INSERT INTO device_keys (id, organization_id, project_id, device_serial, public_key, thumbprint, key_hash, created_at)
       SELECT ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
              ('00000000-0000-7000-8001-' || lpad(to_hex(n % 100), 12, '0'))::uuid,
              ('00000000-0000-7000-8002-' || lpad(to_hex(n % 100), 12, '0'))::uuid, 'D-' || n,
              digest || digest || substr(digest, 1, 27), digest, sha256(digest), now()
       FROM (SELECT n, sha256(n::text::bytea) AS digest FROM generate_series(1, $1::integer) n) numbered`,
      [keys],
    )
    for (const { definition } of indexes) await admin.query(definition)
    await admin.query('VACUUM ANALYZE device_keys')
    await admin.end()
    const devices = await newDevices(await newOrganization(stack), DEVICES)
    return new DeviceKeys(new NatsClient(connection), stack, devices)
  }

  /** @returns how long each took, in milliseconds */
  async measure(count: number): Promise<number[]> {
    const times: number[] = []
    while (times.length < count) times.push(await this.verify(await this.newToken()))
    return times
  }

  /** Sends tokens through the gateway, each once, and returns the resident memory of both processes. */
  async memory(): Promise<string> {
    for (let sent = 0; sent < THROUGH_GATEWAY; sent++) {
      const reply = await fetch(`${this.stack.gatewayUrls[0] ?? ''}/v1/location/ground-fix`, {
        method: 'POST',
        headers: { authorization: `Bearer ${await this.newToken()}`, 'content-type': 'application/json' },
        body: '{}',
      })
      await reply.arrayBuffer()
      if (reply.status !== 400) throw new Error(`the gateway answered ${String(reply.status)}`)
    }
    const sizes = ['gateway-1', 'identity'].map(async (part) => {
      const mib = (await residentBytes(this.stack.part(part).pid)) / MIB
      return `${part} ${mib.toFixed(0)} MiB`
    })
    return (await Promise.all(sizes)).join(', ')
  }

  private async newToken(): Promise<string> {
    const device = this.devices[Math.floor(Math.random() * this.devices.length)]
    if (!device) throw new Error('unreachable: there are devices')
    return sign(device)
  }

  private async verify(token: string): Promise<number> {
    const began = performance.now()
    const credential = { kind: 'device_token', token } as const
    const { active } = await this.client.call(introspectCredential, credential, {
      clientAddress: '203.0.113.7',
    })
    const tookMs = performance.now() - began
    if (!active) throw new Error('a token of the bench is not active')
    return tookMs
  }
}
