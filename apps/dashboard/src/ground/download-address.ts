/** Returns the address of the bytes of a file. A link to it downloads them, with the session of the browser. */
export function fileAddress(organization: string, project: string, id: string): string {
  return `/api/v0/organizations/${organization}/projects/${project}/files/${id}/download`
}

/** Returns the address of the bytes of a chunk. */
export function chunkAddress(organization: string, project: string, serial: string, id: string): string {
  return `/api/v0/organizations/${organization}/projects/${project}/devices/${serial}/chunks/${id}`
}
