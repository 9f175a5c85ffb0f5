import { fillFleet } from '@bearing/start/demo/fill-fleet'
import { testStack } from '@bearing/testing/stack'
import type { Matrix } from '../authorization/authorization-matrix.js'

/** Fills the pages with the fleet of the demo, and a trust, so that every dialog can be opened. @returns the id of the webhook that fails */
export async function fillPages({ own: { slug, project, admin } }: Matrix): Promise<string> {
  const scope = { organization: slug, project: project.slug }
  await fillFleet({ client: admin.client, databaseUrls: testStack().databaseUrls, ...scope })
  await admin.client.call('createWorkloadTrust', {
    ...{ organization: slug, name: 'Firmware', platform: 'github', audience: 'https://bearing.example.com' },
    ...{ claims: { repository_id: '123456' }, permissions: ['project:list', 'symbols:upload'] },
  })
  const { data } = await admin.client.call('listWebhooks', scope)
  return data.find(({ state }) => state === 'failing')?.id ?? ''
}
