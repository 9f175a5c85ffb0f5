import { useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import { size } from '../ground/amounts.js'
import { client } from '../ground/client.js'
import { useScope } from '../ground/scope.js'
import { Loaded } from '../parts/loaded.js'

interface Count {
  readonly of: string
  readonly text: string
}

/** Says what stops with an organization, in numbers of the server. */
export function StopsInOrganization({ organization }: { readonly organization: string }) {
  const counts = useQuery({
    queryKey: ['stops', organization],
    queryFn: async ({ signal }): Promise<Count[]> => {
      const one = { organization, per_page: 1 }
      const [usage, tokens, members, legacy] = await Promise.all([
        client.call('showOrganizationUsage', { organization, days: 1 }, { signal }),
        client.call('listOrganizationTokens', { ...one, state: 'active' }, { signal }),
        client.call('listMembers', one, { signal }),
        client.call('listLegacyTokens', one, { signal }),
      ])
      return [
        { of: 'Projects', text: String(usage.projects.count) },
        { of: 'Devices', text: String(usage.devices.count) },
        { of: 'Active auth tokens', text: String(tokens.paging.total_count) },
        { of: 'Legacy tokens', text: String(legacy.paging.total_count) },
        { of: 'Members', text: String(members.paging.total_count) },
        { of: 'Stored data', text: size(usage.stored.files.bytes + usage.stored.chunks.bytes) },
      ].filter(({ of, text }) => of !== 'Legacy tokens' || text !== '0')
    },
  })
  return <Loaded query={counts}>{(list) => <Counts list={list} />}</Loaded>
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
    queryFn: async ({ signal }): Promise<Count[]> => {
      const one = { organization, project, per_page: 1 }
      const [devices, webhooks, members, files] = await Promise.all([
        client.call('listDevices', one, { signal }),
        refused('webhook:read') ? undefined : client.call('listWebhooks', one, { signal }),
        client.call('listProjectMembers', one, { signal }),
        client.call('listFiles', one, { signal }),
      ])
      return [
        { of: 'Devices', text: String(devices.paging.total_count) },
        { of: 'Webhooks', text: String(webhooks?.paging.total_count ?? 0) },
        { of: 'Members with a role in it', text: String(members.paging.total_count) },
        { of: 'Files', text: String(files.paging.total_count) },
        { of: 'Project key', text: 'stops for all of them' },
      ]
    },
  })
  return <Loaded query={counts}>{(list) => <Counts list={list} />}</Loaded>
}

function Counts({ list }: { readonly list: readonly Count[] }) {
  return (
    <div className="stack-s">
      <h3>What stops</h3>
      <dl className="facts">
        {list.map(({ of, text }) => (
          <Fragment key={of}>
            <dt>{of}</dt>
            <dd>{text}</dd>
          </Fragment>
        ))}
      </dl>
    </div>
  )
}
