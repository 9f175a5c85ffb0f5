import type { Transaction } from '../../ground/database.js'
import { deviceKey } from '../../ground/device-key.js'
import { lockOrganizations } from '../../tenancy/organizations/organization-limits.js'

/** A device as messages name it. */
interface DeviceName {
  readonly projectId: string
  readonly serial: string
}

/** What devices are created with. */
export interface NewDevices {
  readonly now: Date
  readonly newId: () => string
  /** The most devices of one organization. */
  readonly limit: number
}

interface Candidate extends DeviceName {
  /** Null if the project does not exist: the database refuses its devices. */
  readonly organizationId: string | null
}

/**
 * Creates the devices that are not known yet, except where the project accepts only known devices, and up to the limit
 * of the organization. If all are known, this is one read and no lock.
 *
 * @param wanted in the order of {@link deviceKey}, in which all processes create them
 * @returns the keys of those that are one too many
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
  const refused = new Set<string>()
  for (const candidate of candidates) {
    const count = counts.get(candidate.organizationId ?? '') ?? 0
    if (count >= limit) refused.add(deviceKey(candidate))
    else {
      created.push(candidate)
      counts.set(candidate.organizationId ?? '', count + 1)
    }
  }
  if (created.length > 0)
    await transaction.$executeRaw`
      INSERT INTO devices (id, project_id, serial, created_at)
      SELECT told.id, told.project_id, told.serial, ${now}::timestamptz
      FROM unnest(
        ${created.map(newId)}::uuid[],
        ${created.map(({ projectId }) => projectId)}::uuid[],
        ${created.map(({ serial }) => serial)}::text[]
      ) WITH ORDINALITY AS told (id, project_id, serial, place)
      ORDER BY told.place
      ON CONFLICT (project_id, serial) DO NOTHING`
  return refused
}

/** Those that are not known, of projects that let unknown devices send; in the order they came. */
async function findUnknown(
  transaction: Transaction,
  wanted: readonly DeviceName[],
): Promise<readonly Candidate[]> {
  return transaction.$queryRaw<Candidate[]>`
    SELECT told.project_id AS "projectId", told.serial, project.organization_id AS "organizationId"
    FROM unnest(
      ${wanted.map(({ projectId }) => projectId)}::uuid[],
      ${wanted.map(({ serial }) => serial)}::text[]
    ) WITH ORDINALITY AS told (project_id, serial, place)
    LEFT JOIN projects project ON project.id = told.project_id
    WHERE NOT EXISTS (
        SELECT FROM devices d WHERE d.project_id = told.project_id AND d.serial = told.serial)
      AND NOT EXISTS (
        SELECT FROM data_policies p WHERE p.project_id = told.project_id AND p.known_devices_only)
    ORDER BY told.place`
}
