export function deviceKey({
  projectId,
  serial,
}: {
  readonly projectId: string
  readonly serial: string
}): string {
  return `${projectId} ${serial}`
}
