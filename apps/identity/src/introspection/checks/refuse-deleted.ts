import type { DeletedState } from '../../ground/tenant-states.js'
import type { Refused } from './verdict.js'

/**
 * Returns why a credential of a deleted organization or project is refused; undefined if neither is deleted. After the erasure
 * has started, it is as unknown as every other one.
 */
export function refuseDeleted(organization: DeletedState, project: DeletedState = null): Refused | undefined {
  if (organization === 'erasing' || project === 'erasing') return 'unknown'
  if (organization === 'stopped') return 'organization_deleted'
  return project === 'stopped' ? 'project_deleted' : undefined
}
