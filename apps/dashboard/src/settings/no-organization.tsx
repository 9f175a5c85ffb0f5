import { ProblemError } from '@bearing/client/errors'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { calling } from '../ground/calling.js'
import { queryClient } from '../ground/query-client.js'
import { useScope } from '../ground/scope.js'
import { Loaded } from '../parts/loaded.js'
import { Page } from '../parts/page.js'
import { askAgainMs, DeletionState } from './deletion-state.js'

/** Replaces every page of an organization that the user cannot reach: it was deleted, or there is none of this slug. */
export function NoOrganization() {
  const { organizationSlug } = useScope()
  return <Deleted key={organizationSlug} slug={organizationSlug} />
}

function Unknown() {
  return (
    <Page
      title="There is no such organization"
      about="Its slug may have changed, it may be deleted, or you are no member of it."
    >
      <p>
        <Link to="/app">Your organizations</Link>
      </p>
    </Page>
  )
}

function Deleted({ slug }: { readonly slug: string }) {
  const queryKey = ['deletions', slug, 'organization']
  const deletion = useQuery({
    ...calling(queryKey, 'showOrganizationDeletion', { organization: slug }),
    refetchInterval: ({ state: { data, error } }) => (data && !error ? askAgainMs([data]) : false),
    retry: false,
  })
  const { data, error } = deletion
  const isUnknown = error instanceof ProblemError && error.status === 404
  if (isUnknown && data?.state === 'erasing')
    return (
      <Page title="The organization is erased">
        <p className="notice good" role="status">
          {data.name} is erased, and your membership with it. Nothing more can be shown.
        </p>
        <p>
          <Link to="/app">Your organizations</Link>
        </p>
      </Page>
    )
  if (isUnknown) return <Unknown />
  return (
    <Page
      title={data ? 'Deleted organization' : slug}
      {...(data && { about: 'It is out of use. As an admin you can restore it.' })}
    >
      <Loaded query={deletion} lines={2}>
        {(shown) => (
          <DeletionState
            tenant={{
              id: shown.organization_id,
              kind: 'organization',
              organization: slug,
              slug,
              name: shown.name ?? slug,
            }}
            deletion={shown}
            onErase={() => void queryClient.invalidateQueries({ queryKey })}
          />
        )}
      </Loaded>
    </Page>
  )
}
