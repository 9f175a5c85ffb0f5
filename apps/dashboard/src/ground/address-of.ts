/** Path of the audit log. */
export const AUDIT_PAGE = '/o/$organization/admin/audit-log'

/** Returns the address of a page for an organization and a project. */
export function addressOf(path: string, organization: string, project: string): string {
  return `/app${path.replace('$organization', organization).replace('$project', project)}`
}

/** Returns the address of the page of a device. */
export function deviceAddress(organization: string, project: string, serial: string): string {
  return addressOf(`/o/$organization/p/$project/devices/${serial}`, organization, project)
}
