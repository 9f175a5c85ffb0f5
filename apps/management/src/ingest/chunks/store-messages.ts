import { chunkId } from '@bearing/contracts/management/chunk-message'
import { Clock } from '@bearing/service/clock'
import { Randomness } from '@bearing/service/randomness'
import { Injectable } from '@nestjs/common'
import { Database, type Transaction } from '../../ground/database.js'
import { deviceKey } from '../../ground/device-key.js'
import { lockDeletions } from '../../ground/locks.js'
import { noteFirstSeen } from '../devices/record-first-seen.js'
import { RecordEvents } from '../../webhooks/enqueue-deliveries.js'
import type { OrganizationLimits } from '../../tenancy/organizations/organization-limits.js'
import { createDevices } from './create-devices.js'
import { TooManyDevices, UnknownDevice, type DeviceMessage } from './decode-message.js'
import { withoutDeleted } from './without-deleted.js'

/** Chunks of a device that came on one day (UTC) and were not stored before. */
interface NewChunks {
  readonly device_id: string
  /** `2026-01-31`. */
  readonly day: string
  readonly count: number
  readonly bytes: number
}

/** A message that was not stored. */
export interface LeftOut {
  readonly message: DeviceMessage
  readonly why: UnknownDevice | TooManyDevices
}

const UNKNOWN = new UnknownDevice()
const TOO_MANY = new TooManyDevices()

/** Stores what devices have sent. */
@Injectable()
export class StoreMessages {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
    private readonly events: RecordEvents,
    private readonly limits: OrganizationLimits,
  ) {}

  /**
   * Stores messages, all or none. One that was stored before changes nothing, and one of a device that was deleted since is
   * left out. A device that is not known becomes known, unless its project accepts only known devices, or its organization
   * has as many as it may have.
   *
   * @returns those that were left out because their device is not known
   * @throws where Postgres is not there, or refuses one of them: then it is not told which
   */
  async execute(messages: readonly DeviceMessage[]): Promise<readonly LeftOut[]> {
    return this.database.transaction(async (transaction) => {
      const projects = messages.map(({ projectId }) => projectId)
      await lockDeletions(transaction, 'shared', projects)
      const kept = await withoutDeleted(transaction, messages)
      if (kept.length === 0) return []
      const { devices, unseen, tooMany } = await this.lockDevices(transaction, kept)
      const deviceOf = (message: DeviceMessage) => devices.get(deviceKey(message)) ?? ''
      const known = kept.filter((message) => devices.has(deviceKey(message)))
      const stored = await insertChunks(transaction, known, deviceOf)
      await noteFacts(transaction, known, deviceOf, stored)
      await noteUsage(transaction, known, deviceOf, stored)
      await noteFirstSeen(transaction, this.events, unseen)
      return kept
        .filter((message) => !devices.has(deviceKey(message)))
        .map((message) => ({ message, why: tooMany.has(deviceKey(message)) ? TOO_MANY : UNKNOWN }))
    })
  }

  /** The ids of the devices that are known, of which some are so from now on, and of those that were never seen; in an order in which two processes cannot wait for each other. */
  private async lockDevices(
    transaction: Transaction,
    messages: readonly DeviceMessage[],
  ): Promise<{ devices: Map<string, string>; unseen: string[]; tooMany: ReadonlySet<string> }> {
    const wanted = [...new Map(messages.map((message) => [deviceKey(message), message]))]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, message]) => message)
    const projects = wanted.map(({ projectId }) => projectId)
    const serials = wanted.map(({ serial }) => serial)
    const tooMany = await createDevices(transaction, wanted, {
      now: this.clock.now(),
      newId: () => this.randomness.newId(),
      limit: this.limits.devices,
    })
    const rows = await transaction.$queryRaw<
      { id: string; project_id: string; serial: string; unseen: boolean }[]
    >`
      SELECT device.id, device.project_id, device.serial, device.first_seen_at IS NULL AS unseen
      FROM unnest(${projects}::uuid[], ${serials}::text[]) AS told (project_id, serial)
      JOIN devices device USING (project_id, serial)
      ORDER BY device.id
      FOR NO KEY UPDATE OF device`
    return {
      devices: new Map(
        rows.map(({ id, project_id, serial }) => [deviceKey({ projectId: project_id, serial }), id]),
      ),
      unseen: rows.filter(({ unseen }) => unseen).map(({ id }) => id),
      tooMany,
    }
  }
}

/**
 * The chunks go over in one piece and are cut in the database, and what is said of them as one text: the driver would write
 * arrays element by element, which took as long as storing them.
 */
async function insertChunks(
  transaction: Transaction,
  messages: readonly DeviceMessage[],
  deviceOf: (message: DeviceMessage) => string,
): Promise<readonly NewChunks[]> {
  let place = 1
  const chunks = messages.flatMap((message) =>
    message.lengths.map((size, part) => {
      const { id, projectId: project_id, streamStartedAt: stream_started_at, sequence } = message
      const of = { project_id, stream_started_at, sequence, received_at: message.receivedAt }
      const chunk = { id: chunkId(id, part), device_id: deviceOf(message), ...of, part, size, place }
      place += size
      return chunk
    }),
  )
  if (chunks.length === 0) return []
  const all = new Uint8Array(Buffer.concat(messages.map(({ body }) => body)))
  return transaction.$queryRaw<NewChunks[]>`
    WITH stored AS (
      INSERT INTO chunks (id, device_id, project_id, stream_started_at, sequence, part, received_at, size, data)
      SELECT told.id, told.device_id, told.project_id, told.stream_started_at, told.sequence, told.part,
             told.received_at, told.size, substring(${all}::bytea FROM told.place FOR told.size)
      FROM json_to_recordset(${JSON.stringify(chunks)}::json) AS told (
        id uuid, device_id uuid, project_id uuid, stream_started_at timestamptz, sequence bigint, part smallint,
        received_at timestamptz, size integer, place integer
      )
      ON CONFLICT (id) DO NOTHING
      RETURNING device_id, received_at, size
    )
    SELECT device_id, to_char(received_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, count(*)::integer AS count,
           sum(size)::integer AS bytes
    FROM stored GROUP BY 1, 2`
}

/** Counts only what is new; that a device was seen, and what it says of itself, may be noted twice. */
async function noteFacts(
  transaction: Transaction,
  messages: readonly DeviceMessage[],
  deviceOf: (message: DeviceMessage) => string,
  stored: readonly NewChunks[],
): Promise<void> {
  const inOrder = [...messages].sort((a, b) => a.receivedAt.getTime() - b.receivedAt.getTime())
  const told = new Map<
    string,
    { first: Date; last: Date; facts: DeviceMessage['facts']; count: number; bytes: number }
  >()
  for (const message of inOrder) {
    const id = deviceOf(message)
    const before = told.get(id)
    told.set(id, {
      first: before?.first ?? message.receivedAt,
      last: message.receivedAt,
      facts: { ...before?.facts, ...said(message.facts) },
      count: 0,
      bytes: 0,
    })
  }
  for (const { device_id, count, bytes } of stored) {
    const of = told.get(device_id)
    if (!of) continue
    of.count += count
    of.bytes += bytes
  }
  const rows = [...told].map(([id, { first, last, facts, count, bytes }]) => {
    const { hardware_version: hardware, software_type: type, software_version: version } = facts
    return { id, first, last, hardware, type, version, count, bytes }
  })
  await transaction.$executeRaw`
    UPDATE devices device
    SET first_seen_at = least(device.first_seen_at, told.first),
        last_seen_at = greatest(device.last_seen_at, told.last),
        hardware_version = CASE WHEN told.last >= coalesce(device.last_seen_at, told.last) THEN coalesce(told.hardware, device.hardware_version)
                                ELSE coalesce(device.hardware_version, told.hardware) END,
        software_type = CASE WHEN told.last >= coalesce(device.last_seen_at, told.last) THEN coalesce(told.type, device.software_type)
                             ELSE coalesce(device.software_type, told.type) END,
        software_version = CASE WHEN told.last >= coalesce(device.last_seen_at, told.last) THEN coalesce(told.version, device.software_version)
                                ELSE coalesce(device.software_version, told.version) END,
        chunk_count = device.chunk_count + told.count,
        chunk_bytes = device.chunk_bytes + told.bytes
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS told (
      id uuid, first timestamptz, last timestamptz, hardware text, type text, version text, count integer, bytes integer
    )
    WHERE device.id = told.id`
}

function said(facts: DeviceMessage['facts']): DeviceMessage['facts'] {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined))
}

/** Of the day on which it came (UTC), which may not be today: what waits in the queue counts for the day of its quota. */
async function noteUsage(
  transaction: Transaction,
  messages: readonly DeviceMessage[],
  deviceOf: (message: DeviceMessage) => string,
  stored: readonly NewChunks[],
): Promise<void> {
  const projects = new Map(messages.map((message) => [deviceOf(message), message.projectId]))
  const bytes = new Map<string, { project: string; day: string; sum: number }>()
  for (const { device_id, day, bytes: size } of stored) {
    const project = projects.get(device_id) ?? ''
    const before = bytes.get(`${project} ${day}`)?.sum ?? 0
    bytes.set(`${project} ${day}`, { project, day, sum: before + size })
  }
  const told = [...bytes].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one)
  if (told.length === 0) return
  await transaction.$executeRaw`
    INSERT INTO project_usage (project_id, day, bytes)
    SELECT told.project_id, told.day, told.bytes
    FROM unnest(
      ${told.map(({ project }) => project)}::uuid[],
      ${told.map(({ day }) => day)}::date[],
      ${told.map(({ sum }) => String(sum))}::bigint[]
    ) WITH ORDINALITY AS told (project_id, day, bytes, place)
    ORDER BY told.place
    ON CONFLICT (project_id, day) DO UPDATE SET bytes = project_usage.bytes + excluded.bytes`
}
