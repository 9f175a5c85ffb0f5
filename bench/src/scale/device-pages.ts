import { listChunks } from '@bearing/contracts/management/data/chunk'
import type { Connection } from '@bearing/nats/connection'
import type { Stack } from '@bearing/testing/stack'
import pg from 'pg'
import { Caller } from './caller.js'
import { restartWithMemory } from './store-places.js'

/** Chunks of each device, spread over all days. */
const OF_A_DEVICE = 100
const PROJECT = '00000000-0000-7000-8000-000000000001'
/** The first partition has all days up to a week from now. */
const FIRST_DAY = 10

/** Reads pages of the chunks of random devices, one after the other. */
export class DevicePages {
  private constructor(
    private readonly caller: Caller,
    private readonly devices: number,
  ) {}

  /** Stores chunks in partitions of as many days. */
  static async open(
    connection: Connection,
    stack: Stack,
    chunks: number,
    days: number,
  ): Promise<DevicePages> {
    const caller = await Caller.open(connection, 'management')
    const devices = chunks / OF_A_DEVICE
    await restartWithMemory(stack)
    const admin = new pg.Client({
      connectionString: stack.adminDatabaseUrl,
      options: '-c search_path=management',
    })
    await admin.connect()
    await admin.query(
      `INSERT INTO organizations (id, slug, name, created_at, created_by) VALUES ($1, 'bench', 'bench', now(), $1)`,
      [caller.organizationId],
    )
    await admin.query(
      `INSERT INTO projects (id, organization_id, slug, name, created_at, created_by) VALUES ($2, $1, 'bench', 'bench', now(), $1)`,
      [caller.organizationId, PROJECT],
    )
    await admin.query(
      `INSERT INTO devices (id, project_id, serial, created_at, first_seen_at, last_seen_at)
       SELECT ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, $1, 'D-' || n, now(),
              now() + $2 * interval '1 day', now() + $3 * interval '1 day' FROM generate_series(0, $4 - 1) n`,
      [PROJECT, FIRST_DAY, FIRST_DAY + days, devices],
    )
    for (let day = 0; day <= days; day++)
      await admin.query(`SELECT create_chunk_day(now() + $1 * interval '1 day', 0)`, [FIRST_DAY + day])
    // Without a search of the device for each row.
    await admin.query('SET session_replication_role = replica')
    await admin.query(
      `INSERT INTO device_chunks (id, device_id, project_id, stream_started_at, sequence, part, received_at, size, data)
       SELECT ('00000000-0000-7000-8001-' || lpad(to_hex(n), 12, '0'))::uuid,
              ('00000000-0000-7000-8000-' || lpad(to_hex(n % $2), 12, '0'))::uuid, $1, '2026-01-01', n, 0,
              now() + $3 * interval '1 day' + n * ($4 * interval '1 day' / $5), 10, '\\x00112233445566778899'
       FROM generate_series(0, $5 - 1) n`,
      [PROJECT, devices, FIRST_DAY, days, chunks],
    )
    await admin.query('VACUUM ANALYZE device_chunks')
    await admin.end()
    return new DevicePages(caller, devices)
  }

  /** @returns how long each took, in milliseconds */
  async measure(count: number): Promise<number[]> {
    const times: number[] = []
    while (times.length < count) times.push(await this.read(Math.floor(Math.random() * this.devices)))
    return times
  }

  private async read(device: number): Promise<number> {
    const { client, organizationId } = this.caller
    const claims = await this.caller.claims()
    const of = {
      organization_id: organizationId,
      project_id: PROJECT,
      device_serial: `D-${String(device)}`,
    }
    const began = performance.now()
    const found = await client.call(listChunks, { ...of, page: 1, per_page: 20 }, { claims })
    const tookMs = performance.now() - began
    if (found.paging.total_count !== OF_A_DEVICE) throw new Error('not all chunks were counted')
    return tookMs
  }
}
