import { refusal } from '@bearing/access/authorize'
import type { UserPrincipal } from '@bearing/contracts/principal'
import { addressOf } from '../ground/address-of.js'
import type { Named } from '../ground/scope.js'

const LOCATION = '/o/$organization/p/$project/location'
const GENERAL = '/o/$organization/p/$project/settings/general'

/** Returns the address of the page of a project that a user comes to first: Location if they may see it. */
export function landingOf(user: UserPrincipal | undefined, organization: Named, project: Named): string {
  const scope = { organization_id: organization.id, project_id: project.id }
  const maySee = user !== undefined && !refusal(user, 'device-data:read', scope)
  return addressOf(maySee ? LOCATION : GENERAL, organization.slug, project.slug)
}
