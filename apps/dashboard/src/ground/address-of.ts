/** Returns the address of a page for an organization and a project. */
export function addressOf(path: string, organization: string, project: string): string {
  return `/app${path.replace('$organization', organization).replace('$project', project)}`
}
