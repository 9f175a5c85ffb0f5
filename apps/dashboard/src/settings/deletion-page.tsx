import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { listing } from '../ground/calling.js'
import { queryClient } from '../ground/query-client.js'
import { useScope } from '../ground/scope.js'
import { Empty } from '../parts/list.js'
import { Loaded } from '../parts/loaded.js'
import { Page } from '../parts/page.js'
import { DeleteCard } from './delete-card.js'
import { askAgainMs, DeletionState } from './deletion-state.js'

/** The most deleted projects that are read. More are erased before anybody has deleted as many. */
const READ = 100

/** `…/admin/deletion`: deleted projects, and the deletion of the organization itself. */
export function DeletionPage() {
  const { organization, organizationSlug, refused } = useScope()
  const [erased, setErased] = useState<string>()
  const queryKey = ['deletions', organizationSlug]
  const deleted = useQuery({
    ...listing(queryKey, 'listDeletedProjects', { organization: organizationSlug, per_page: READ }),
    refetchInterval: ({ state }) => askAgainMs(state.data ?? []),
    enabled: !refused('project:delete'),
  })
  if (!organization) return null
  const isGone = erased !== undefined && deleted.data?.every(({ name }) => name !== erased) === true
  return (
    <Page
      title="Deleted"
      about="Deleted projects, until their data is erased. Deleting stops credentials; erasing cannot be undone."
    >
      {isGone && (
        <p className="notice good" role="status">
          {erased} is erased. Nothing of it is left.
        </p>
      )}
      {refused('project:delete') ? (
        <p className="quiet">Admins of the organization see deleted projects here.</p>
      ) : (
        <Loaded query={deleted} lines={2}>
          {(list) =>
            list.length === 0 ? (
              <Empty title="No deleted projects">
                A deleted project stays here until its data is erased, and can be restored.
              </Empty>
            ) : (
              list.map((deletion) => {
                const { id, project_id, slug } = deletion
                const named = { slug: slug ?? '', name: deletion.name ?? slug ?? '' }
                return (
                  <DeletionState
                    key={id}
                    tenant={{
                      id: project_id ?? '',
                      kind: 'project',
                      organization: organizationSlug,
                      ...named,
                    }}
                    deletion={deletion}
                    onErase={() => {
                      setErased(named.name)
                      void queryClient.invalidateQueries({ queryKey })
                    }}
                  />
                )
              })
            )
          }
        </Loaded>
      )}
      <DeleteCard organization={organization} />
    </Page>
  )
}
