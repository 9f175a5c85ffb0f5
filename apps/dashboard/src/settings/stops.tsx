import { Facts } from '../parts/facts.js'
import { useQuery } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { size } from '../ground/amounts.js'
import { client } from '../ground/client.js'
import { useScope } from '../ground/scope.js'
import { Loaded } from '../parts/loaded.js'

/** Says what stops with an organization, in numbers of the server. */
export function StopsInOrganization({ organization }: { readonly organization: string }) {
  const counts = useQuery({
    queryKey: ['stops', organization],
    queryFn: async ({ signal }) => {
      const one = { organization, per_page: 1 }
      const [usage, tokens, members, legacy] = await Promise.all([
        client.call('showOrganizationUsage', { organization, days: 1 }, { signal }),
        client.call('listOrganizationTokens', { ...one, state: 'active' }, { signal }),
        client.call('listMembers', one, { signal }),
        client.call('listLegacyTokens', one, { signal }),
      ])
      return {
        Projects: usage.projects.count,
        Devices: usage.devices.count,
        'Active auth tokens': tokens.paging.total_count,
        'Legacy tokens': legacy.paging.total_count || null,
        Members: members.paging.total_count,
        'Stored data': size(usage.stored.files.bytes + usage.stored.chunks.bytes),
      }
    },
  })
  return <Loaded query={counts}>{(facts) => <WhatStops facts={facts} />}</Loaded>
}

/** Says what stops with a project. */
export function StopsInProject({
  organization,
  project,
}: {
  readonly organization: string
  readonly project: string
}) {
  const { refused } = useScope()
  const counts = useQuery({
    queryKey: ['stops', organization, project],
    queryFn: async ({ signal }) => {
      const one = { organization, project, per_page: 1 }
      const [devices, webhooks, members, files] = await Promise.all([
        client.call('listDevices', one, { signal }),
        refused('webhook:read') ? undefined : client.call('listWebhooks', one, { signal }),
        client.call('listProjectMembers', one, { signal }),
        client.call('listFiles', one, { signal }),
      ])
      return {
        Devices: devices.paging.total_count,
        Webhooks: webhooks?.paging.total_count ?? 0,
        'Members with a role in it': members.paging.total_count,
        Files: files.paging.total_count,
        'Project key': 'stops for all of them',
      }
    },
  })
  return <Loaded query={counts}>{(facts) => <WhatStops facts={facts} />}</Loaded>
}

function WhatStops(props: ComponentProps<typeof Facts>) {
  return (
    <div className="stack-s">
      <h3>What stops</h3>
      <Facts {...props} />
    </div>
  )
}
