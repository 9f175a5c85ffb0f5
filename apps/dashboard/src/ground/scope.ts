import { refusal, type Refusal } from '@bearing/access/authorize'
import type { Permission } from '@bearing/contracts/permission'
import type { UserPrincipal } from '@bearing/contracts/principal'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { me, organizations, projectsOf } from './queries.js'

export interface Named {
  readonly id: string
  readonly slug: string
  readonly name: string
}

/** The organization and project of a page, and the permissions of its user. */
export interface Scope {
  readonly user: UserPrincipal | undefined
  readonly organizationSlug: string
  readonly projectSlug: string
  /** Undefined while it is loading, and if there is no such organization for this user. */
  readonly organization: Named | undefined
  readonly project: Named | undefined
  readonly isLoading: boolean
  /** Returns why the server would refuse; undefined: it allows. This is the function that the gateway itself asks. */
  readonly refused: (permission: Permission) => Refusal | undefined
}

/** Returns the organization and project of the URL. */
export function useScope(): Scope {
  const { organization = '', project = '' }: Record<string, string | undefined> = useParams({ strict: false })
  return useScopeOf(organization, project)
}

/** The project that was open last. */
const last = { organization: '', project: '' }

/** Keeps the project of the URL, for {@link useNearScope}. */
export function keepScope({ organization, project }: Scope): void {
  if (organization && project) Object.assign(last, { organization: organization.slug, project: project.slug })
}

/** Returns the scope of the URL. On pages without an organization or project it has those that were open last, or the first ones. */
export function useNearScope(): Scope {
  const { organization = '', project = '' }: Record<string, string | undefined> = useParams({ strict: false })
  const user = useQuery(me).data
  const known = useQuery(organizations).data ?? []
  const reached = known.filter(({ id }) => user && !refusal(user, 'project:list', { organization_id: id }))
  const slug = organization || slugOf(reached, last.organization)
  const projects = useQuery({ ...projectsOf(slug), enabled: slug !== '' }).data ?? []
  return useScopeOf(slug, project || slugOf(projects, last.organization === slug ? last.project : ''))
}

function slugOf(list: readonly Named[], wanted: string): string {
  return (list.find(({ slug }) => slug === wanted) ?? list[0])?.slug ?? ''
}

function useScopeOf(organizationSlug: string, projectSlug: string): Scope {
  const user = useQuery(me)
  const known = useQuery(organizations)
  const projects = useQuery({ ...projectsOf(organizationSlug), enabled: organizationSlug !== '' })
  const organization = known.data?.find(({ slug }) => slug === organizationSlug)
  const project = projects.data?.find(({ slug }) => slug === projectSlug)
  return {
    user: user.data,
    organizationSlug,
    projectSlug,
    organization,
    project,
    isLoading: user.isPending || known.isPending || (organizationSlug !== '' && projects.isPending),
    refused: (permission) =>
      user.data &&
      refusal(user.data, permission, { organization_id: organization?.id, project_id: project?.id }),
  }
}
