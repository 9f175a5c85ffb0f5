import { useQuery } from '@tanstack/react-query'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { organizations, projectsOf } from '../ground/queries.js'
import { useScope } from '../ground/scope.js'
import { Select } from '../parts/select.js'

/** Chooses the organization and the project; the page stays the same where it can. */
export function Switchers() {
  const { organizationSlug, projectSlug } = useScope()
  const known = useQuery(organizations)
  const projects = useQuery({ ...projectsOf(organizationSlug), enabled: organizationSlug !== '' })
  const navigate = useNavigate()
  const { pathname } = useLocation()
  if (!known.data || organizationSlug === '') return null
  const options = (list: readonly { slug: string; name: string }[]) =>
    list.map(({ slug, name }) => ({ id: slug, text: name, ...(name !== slug && { hint: slug }) }))
  return (
    <div className="switchers">
      <Select
        label="Organization"
        options={options(known.data)}
        value={organizationSlug}
        onChange={(slug) =>
          void navigate({
            to: pathname.includes('/admin/')
              ? pathname.replace(`/o/${organizationSlug}/`, `/o/${slug}/`)
              : `/app?organization=${slug}`,
          })
        }
      />
      {projectSlug !== '' && projects.data && (
        <Select
          label="Project"
          options={options(projects.data)}
          value={projectSlug}
          onChange={(slug) =>
            void navigate({ to: listOf(pathname).replace(`/p/${projectSlug}/`, `/p/${slug}/`) })
          }
        />
      )}
    </div>
  )
}

/** Returns the address of the list that an object is in: another project does not have the object. */
function listOf(pathname: string): string {
  return pathname.replace(/\/(devices|webhooks)\/[^/]+$/, '/$1')
}
