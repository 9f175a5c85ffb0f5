import { DAY_MS } from '@bearing/contracts/durations'
import { fillFleet } from '@bearing/start/demo/fill-fleet'
import { MOVING } from '@bearing/start/demo/fleet'
import { DEMO_SCAN } from '@bearing/start/demo/town'
import { importTown } from '@bearing/start/demo/import-town'
import type { StackAddresses } from '@bearing/testing/addresses'
import { newMember, type TestOrganization } from '@bearing/testing/factories'

/** The data that the pages of pictures show. */
export const SAMPLE = {
  organization: 'acme',
  project: 'asset-tracker',
  device: MOVING[0]?.serial ?? '',
  /** Four access points that are known, and one that is not. */
  scan: [...DEMO_SCAN, { macAddress: '02:00:5e:99:00:01', signalStrength: -80 }]
    .map(({ macAddress, signalStrength }) => `${macAddress} ${String(signalStrength)}`)
    .join('\n'),
} as const

const SCOPE = { organization: SAMPLE.organization, project: SAMPLE.project }

/** Creates the fleet of the demo, and texts that are longer than people write. @returns the id of a webhook with deliveries */
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
  await importTown(client, SAMPLE.organization)
  await fillFleet({ client, databaseUrls: stack.databaseUrls, ...SCOPE })
  await addLongTexts(organization)
  await newMember(organization, 'member', [{ project: organization.project, role: 'manager' }], stack)
  await newMember(organization, 'member', [], stack)
  for (const email of ['ada.lovelace@example.com', 'grace.hopper@example.com'])
    await client.call('createInvitation', {
      ...{ organization: SAMPLE.organization, email, role: 'member', projects: [] },
    })
  await client.call('cycleProjectKey', { ...SCOPE, grace_seconds: 86_400 })
  const { data } = await client.call('listWebhooks', SCOPE)
  return { webhook: data.find(({ state }) => state === 'failing')?.id ?? '' }
}

async function addLongTexts({ admin: { client } }: TestOrganization): Promise<void> {
  const { organization } = SCOPE
  await client.call('createOrganizationToken', {
    organization,
    description:
      'Backend of the asset tracker, region Europe, with a description that is far too long for one line of a table',
  })
  const expires_at = new Date(Date.now() + 300 * DAY_MS).toISOString()
  await client.call('createOrganizationToken', { organization, description: 'Nightly export', expires_at })
  const { data } = await client.call('listOrganizationTokens', { organization })
  const rotated = data.find(({ description }) => description === 'Nightly export')
  if (rotated)
    await client.call('rotateOrganizationToken', {
      ...{ organization, organization_token_id: rotated.id, grace_seconds: 86_400 },
    })
  await client.call('importDevices', {
    ...SCOPE,
    devices: [
      { device_serial: 'BIKE-0002', nickname: 'رافعة شوكية ٢ 🚜 <b>north</b>' },
      {
        device_serial: 'A-serial-number-of-nearly-128-characters_'.repeat(3).slice(0, 120),
        nickname:
          'A nickname that somebody has written as a whole sentence, because there was so much room for it.',
      },
    ],
  })
  await client.call('createWebhook', {
    ...{ ...SCOPE, url: `https://hooks.example.com/${'a-path-with-a-secret-in-it/'.repeat(5)}` },
  })
}
