import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { client } from '../ground/client.js'
import { useScope } from '../ground/scope.js'
import { Time } from '../parts/time.js'

/** Leads the admins of deleted organizations to where they can restore them. */
export function DeletedOrganizations() {
  const { user } = useScope()
  const isAdmin = (user?.deleted_grants ?? []).some(({ role }) => role === 'admin')
  const { data } = useQuery({
    queryKey: ['deletions'],
    queryFn: async ({ signal }) => (await client.call('listDeletedOrganizations', {}, { signal })).data,
    enabled: isAdmin,
  })
  if (!isAdmin || !data || data.length === 0) return null
  return (
    <div className="notice attention">
      {data.map(({ id, slug, name, state, erase_after }) => (
        <p key={id}>
          <Link to={`/app/o/${slug ?? ''}/admin/deletion`}>{name}</Link>{' '}
          {state === 'erasing' ? (
            'is being erased.'
          ) : (
            <>
              is deleted, and is erased <Time at={erase_after} />.
            </>
          )}
        </p>
      ))}
    </div>
  )
}
