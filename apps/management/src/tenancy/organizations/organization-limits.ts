import { refuseBeyond } from '@bearing/contracts/counts/quota'

/** Limits the projects and devices of an organization. */
export class OrganizationLimits {
  constructor(
    readonly projects: number,
    readonly devices: number,
  ) {}

  /**
   * Checks that one more project is allowed.
   *
   * @param count the present number
   * @throws OperationError `quota_exceeded`
   */
  checkProjects(count: number): void {
    refuseBeyond(
      {
        ...{ resource: 'projects', limit: this.projects, raised_by: 'nobody' },
        has: 'The organization has too many projects',
        remedy: 'Use one of them',
      },
      count,
    )
  }

  /**
   * Checks that one more device is allowed.
   *
   * @param count the present number
   * @throws OperationError `quota_exceeded`
   */
  checkDevices(count: number): void {
    refuseBeyond(
      {
        ...{ resource: 'devices', limit: this.devices, raised_by: 'operator' },
        has: 'The organization has too many devices',
        remedy: 'Delete devices that are no longer used',
      },
      count,
    )
  }
}
