import { DeviceSketch } from '@bearing/access/device-sketch'
import { recordKeyUses } from '@bearing/contracts/identity/credentials/project-key'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Clock } from '@bearing/service/ground/clock'
import { Controller } from '@nestjs/common'
import { Database, type Transaction } from '../../ground/database.js'

type Uses = Input<typeof recordKeyUses>['uses']

@Controller()
export class RecordKeyUses {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Writes rows in the order of ids, against deadlocks between gateways. Keys that have ended are ignored. */
  @Handle(recordKeyUses)
  async execute({ uses }: Input<typeof recordKeyUses>): Promise<Output<typeof recordKeyUses>> {
    const now = this.clock.now()
    await this.database.transaction(async (transaction) => {
      await recordTimes(transaction, uses, now)
      await mergeDevices(transaction, uses, now)
    })
    return {}
  }
}

async function recordTimes(transaction: Transaction, uses: Uses, now: Date): Promise<void> {
  await transaction.$executeRaw`
    INSERT INTO project_key_uses (key_id, project_id, used_at)
    SELECT key.id, key.project_id, max(least(used.used_at, ${now}::timestamptz))
    FROM unnest(
      ${uses.map((use) => use.project_key_id)}::uuid[],
      ${uses.map((use) => use.used_at)}::timestamptz[]
    ) AS used (id, used_at)
    JOIN (
      SELECT id, project_id FROM project_keys
      UNION ALL
      SELECT id, project_id FROM replaced_project_keys
    ) AS key USING (id)
    GROUP BY key.id, key.project_id
    ORDER BY key.id
    ON CONFLICT (key_id) DO UPDATE SET used_at = greatest(project_key_uses.used_at, excluded.used_at)`
}

/** Merges the sketches into those of the current hour. */
async function mergeDevices(transaction: Transaction, uses: Uses, now: Date): Promise<void> {
  const reported = new Map<string, DeviceSketch>()
  for (const { project_key_id: id, devices } of uses) {
    if (devices === undefined) continue
    const sketch = reported.get(id) ?? DeviceSketch.empty()
    sketch.merge(Buffer.from(devices, 'base64'))
    reported.set(id, sketch)
  }
  if (reported.size === 0) return
  const hour = new Date(now)
  hour.setUTCMinutes(0, 0, 0)
  const ids = [...reported.keys()]
  // Rows that are there are locked by the conflict, so that no report of another gateway is lost.
  const stored = await transaction.$queryRaw<{ id: string; registers: Uint8Array }[]>`
    INSERT INTO project_key_devices (key_id, hour, registers)
    SELECT key_id, ${hour}::timestamptz, ${Buffer.from(DeviceSketch.empty().registers)}::bytea
    FROM project_key_uses WHERE key_id = ANY (${ids}::uuid[]) ORDER BY key_id
    ON CONFLICT (key_id, hour) DO UPDATE SET registers = project_key_devices.registers
    RETURNING key_id AS id, registers`
  const merged = stored.flatMap(({ id, registers }) => {
    const sketch = reported.get(id)
    sketch?.merge(registers)
    return sketch ? [{ id, registers: Buffer.from(sketch.registers) }] : []
  })
  await transaction.$executeRaw`
    UPDATE project_key_devices devices SET registers = merged.registers
    FROM unnest(
      ${merged.map(({ id }) => id)}::uuid[],
      ${merged.map(({ registers }) => registers)}::bytea[]
    ) AS merged (id, registers)
    WHERE devices.key_id = merged.id AND devices.hour = ${hour}::timestamptz`
}
