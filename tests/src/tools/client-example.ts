import { BearingClient, ProblemError, type CallOutput, type ListItem } from '@bearing/client'

/** Lists the projects of an organization, and locates a scan in the first of them. */
export async function locate(url: string, token: string, organization: string) {
  const bearing = new BearingClient({ url, credential: { kind: 'organization_token', token } })
  const projects: ListItem<'listProjects'>[] = await bearing.listAll('listProjects', { organization })
  const slugs = projects.map(({ slug }) => slug)
  const [project = ''] = slugs
  try {
    const position: CallOutput<'resolveWifiLocation'> = await bearing.call('resolveWifiLocation', {
      organization,
      project,
      accessPoints: [
        { macAddress: '00:1a:2b:3c:4d:5e', signalStrength: -55 },
        { macAddress: '00:1b:63:84:45:e6', signalStrength: -67 },
      ],
    })
    return { slugs, lat: position?.lat, lon: position?.lon, uncertainty: position?.uncertainty }
  } catch (error) {
    if (error instanceof ProblemError && error.code === 'location_not_found') return { slugs, unknown: true }
    throw error
  }
}
