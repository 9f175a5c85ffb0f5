import { useQuery } from '@tanstack/react-query'
import { addressOf } from '../ground/address-of.js'
import { projectsOf } from '../ground/queries.js'
import { useScope } from '../ground/scope.js'
import { isLinked, PAGES, type DashboardPage } from './pages.js'

/** A page with its address for the organization and project in the URL. */
export interface Place extends DashboardPage {
  readonly to: string
}

/** Returns the pages that the user may open here. Without a project in the URL those of the first one. */
export function usePlaces(): readonly Place[] {
  const { organization, organizationSlug, project, projectSlug, refused } = useScope()
  const projects = useQuery({ ...projectsOf(organizationSlug), enabled: organizationSlug !== '' })
  const slug = projectSlug || (projects.data?.[0]?.slug ?? '')
  return PAGES.filter((page) => {
    const { path, permission } = page
    const isOfProject = path.includes('$project')
    return (
      isLinked(page) &&
      (organization !== undefined || !path.includes('$organization')) &&
      (!isOfProject || slug !== '') &&
      // The roles in the first project are not looked at before it is opened.
      (permission === undefined || (isOfProject && !project) || !refused(permission))
    )
  }).map((page) => ({ ...page, to: addressOf(page.path, organizationSlug, slug) }))
}
