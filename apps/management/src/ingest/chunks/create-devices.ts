import type { Transaction } from '../../ground/database.js'
import { lockOrganizations } from '../../ground/locks.js'
import { deviceKey } from '../../ground/device-key.js'

/** A device in a message. */
interface DeviceName {
  readonly projectId: string
  readonly serial: string
}

/** Conditions for creating devices. */
export interface NewDevices {
  readonly now: Date
  readonly newId: () => string
  /** Maximum number of devices of an organization. */
  readonly limit: number
}

interface Candidate extends DeviceName {
  /** Null if the project does not exist: the database rejects its devices. */
  readonly organizationId: string | null
}

/**
 * Creates unknown devices, unless their project accepts only known devices, up to the limit of the organization. If all
 * are known, this is one read without a lock.
 *
 * @param wanted in the order of {@link deviceKey}, in which all processes create devices
 * @returns the keys of devices beyond the limit
 */
export async function createDevices(
  transaction: Transaction,
  wanted: readonly DeviceName[],
  { now, newId, limit }: NewDevices,
): Promise<ReadonlySet<string>> {
  const candidates = await findUnknown(transaction, wanted)
  if (candidates.length === 0) return new Set()
  const organizations = new Set(candidates.flatMap(({ organizationId }) => organizationId ?? []))
  const counts = new Map(await lockOrganizations(transaction, [...organizations]))
  const created: Candidate[] = []
  const rejected = new Set<string>()
  for (const candidate of candidates) {
    const count = counts.get(candidate.organizationId ?? '') ?? 0
    if (count >= limit) rejected.add(deviceKey(candidate))
    else {
      created.push(candidate)
      counts.set(candidate.organizationId ?? '', count + 1)
    }
  }
  if (created.length > 0)
    await transaction.$executeRaw`
      INSERT INTO devices (id, project_id, serial, created_at)
      SELECT created.id, created.project_id, created.serial, ${now}::timestamptz
      FROM unnest(
        ${created.map(newId)}::uuid[],
        ${created.map(({ projectId }) => projectId)}::uuid[],
        ${created.map(({ serial }) => serial)}::text[]
      ) WITH ORDINALITY AS created (id, project_id, serial, position)
      ORDER BY created.position
      ON CONFLICT (project_id, serial) DO NOTHING`
  return rejected
}

/** Returns unknown devices of projects that accept them, in the given order. */
async function findUnknown(
  transaction: Transaction,
  wanted: readonly DeviceName[],
): Promise<readonly Candidate[]> {
  return transaction.$queryRaw<Candidate[]>`
    SELECT wanted.project_id AS "projectId", wanted.serial, project.organization_id AS "organizationId"
    FROM unnest(
      ${wanted.map(({ projectId }) => projectId)}::uuid[],
      ${wanted.map(({ serial }) => serial)}::text[]
    ) WITH ORDINALITY AS wanted (project_id, serial, position)
    LEFT JOIN projects project ON project.id = wanted.project_id
    WHERE NOT EXISTS (
        SELECT FROM devices d WHERE d.project_id = wanted.project_id AND d.serial = wanted.serial)
      AND NOT EXISTS (
        SELECT FROM data_policies p WHERE p.project_id = wanted.project_id AND p.known_devices_only)
    ORDER BY wanted.position`
}
