import { addressOf } from '../ground/address-of.js'
import { useNearScope } from '../ground/scope.js'
import { isLinked, PAGES, type DashboardPage } from './pages.js'

/** A page with its address for the organization and project that are open, or were last. */
export interface Place extends DashboardPage {
  readonly to: string
}

/** Returns the pages that the user may open here. */
export function usePlaces(): readonly Place[] {
  const { organization, organizationSlug, project, projectSlug, refused } = useNearScope()
  return PAGES.filter((page) => {
    const { path, permission } = page
    return (
      isLinked(page) &&
      (organization !== undefined || !path.includes('$organization')) &&
      (project !== undefined || !path.includes('$project')) &&
      (permission === undefined || !refused(permission))
    )
  }).map((page) => ({ ...page, to: addressOf(page.path, organizationSlug, projectSlug) }))
}
