import { refuseBeyond } from '@bearing/contracts/quota'
import type { Transaction } from '../../ground/database.js'

/** How many projects and devices an organization may have. */
export class OrganizationLimits {
  constructor(
    readonly projects: number,
    readonly devices: number,
  ) {}

  /**
   * Refuses one more project.
   *
   * @param count how many there are
   * @throws OperationError `quota_exceeded`
   */
  refuseAnotherProject(count: number): void {
    refuseBeyond(
      {
        ...{ resource: 'projects', limit: this.projects, raised_by: 'operator' },
        has: 'The organization has too many projects',
        remedy: 'Use one of them',
      },
      count,
    )
  }

  /**
   * Refuses one more device.
   *
   * @param count how many there are
   * @throws OperationError `quota_exceeded`
   */
  refuseAnotherDevice(count: number): void {
    refuseBeyond(
      {
        ...{ resource: 'devices', limit: this.devices, raised_by: 'operator' },
        has: 'The organization has too many devices',
        remedy: 'Delete devices that are gone',
      },
      count,
    )
  }
}

/**
 * Locks organizations, so that nobody else counts or adds what they have until the transaction ends. Before devices are
 * locked: else two transactions could wait for each other.
 *
 * @returns how many devices each has
 */
export async function lockOrganizations(
  transaction: Transaction,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await transaction.$queryRaw<{ id: string; device_count: bigint }[]>`
    SELECT id, device_count FROM organizations WHERE id = ANY (${[...ids]}::uuid[]) ORDER BY id FOR NO KEY UPDATE`
  return new Map(rows.map(({ id, device_count }) => [id, Number(device_count)]))
}
