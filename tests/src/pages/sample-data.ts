import { newMember, type TestOrganization } from '@bearing/testing/factories'
import type { StackAddresses } from '@bearing/testing/addresses'
import { fillWithDevices } from './sample-devices.js'

/** What the pages of pictures are about. */
export const SAMPLE = {
  organization: 'acme',
  project: 'asset-tracker',
  device: 'TRACKER-0001',
  /** Three access points that are known, and one that is not. */
  scan: '02:00:5e:10:04:05 -52\n02:00:5e:10:04:06 -61\n02:00:5e:10:05:05 -64\n02:00:5e:99:00:01 -80',
} as const

const DAY_MS = 86_400_000

/** Creates what fills the pages, long texts among it. @returns the id of a webhook with deliveries */
export async function fillWithSamples(
  organization: TestOrganization,
  stack: StackAddresses,
): Promise<{ readonly webhook: string }> {
  const { client } = organization.admin
  await client.call('renameOrganization', {
    organization: organization.slug,
    name: 'Acme Tracking',
    slug: SAMPLE.organization,
  })
  await client.call('renameProject', {
    organization: SAMPLE.organization,
    project: organization.project.slug,
    name: 'Asset tracker',
    slug: SAMPLE.project,
  })
  await client.call('createProject', {
    organization: SAMPLE.organization,
    name: 'Field trial of the second generation, northern warehouses',
  })
  await fillTokens(organization)
  await newMember(organization, 'member', [{ project: organization.project, role: 'manager' }], stack)
  await newMember(organization, 'member', [], stack)
  for (const email of ['ada.lovelace@example.com', 'grace.hopper@example.com'])
    await client.call('createInvitation', {
      ...{ organization: SAMPLE.organization, email, role: 'member', projects: [] },
    })
  const webhook = await fillWebhooks(organization)
  await fillWithDevices(organization, { organization: SAMPLE.organization, project: SAMPLE.project }, stack)
  await client.call('cycleProjectKey', {
    ...{ organization: SAMPLE.organization, project: SAMPLE.project, grace_seconds: 86_400 },
  })
  return { webhook }
}

async function fillTokens({ admin: { client } }: TestOrganization): Promise<void> {
  const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()
  const tokens = [
    { description: 'CI of the firmware', expires_at: inDays(9) },
    {
      description:
        'Backend of the asset tracker, region Europe, with a description that is far too long for one line of a table',
    },
    { description: 'Nightly export', expires_at: inDays(300) },
  ]
  for (const token of tokens)
    await client.call('createOrganizationToken', { organization: SAMPLE.organization, ...token })
  const { data } = await client.call('listOrganizationTokens', { organization: SAMPLE.organization })
  const rotated = data.find(({ description }) => description === 'Nightly export')
  if (rotated)
    await client.call('rotateOrganizationToken', {
      ...{ organization: SAMPLE.organization, organization_token_id: rotated.id, grace_seconds: 86_400 },
    })
}

/** One whose host does not exist, so that its deliveries fail, and one with a long URL. */
async function fillWebhooks({ admin: { client } }: TestOrganization): Promise<string> {
  const scope = { organization: SAMPLE.organization, project: SAMPLE.project }
  const { id } = await client.call('createWebhook', {
    ...{ ...scope, url: 'https://hooks.example.com/bearing', description: 'Alerts of the on-call team' },
    events: ['device.first_seen', 'coredump.uploaded', 'organization_token.expiring'],
  })
  await client.call('createWebhook', {
    ...{ ...scope, url: `https://hooks.example.com/${'a-path-with-a-secret-in-it/'.repeat(5)}` },
  })
  await client.call('testWebhook', { ...scope, webhook_id: id })
  return id
}
