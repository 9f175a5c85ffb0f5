import { refusal } from '@bearing/access/authorize'
import { OperationError } from '@bearing/contracts/errors'
import { DATA_EVENT } from '@bearing/contracts/management/webhook'
import type { Principal } from '@bearing/contracts/principal'

/**
 * Requires that who decides where the events of a project go may read what its devices have sent, if that is among them.
 *
 * @throws OperationError `permission_denied`
 */
export function requireDataPermission(
  by: Principal,
  events: readonly string[],
  scope: { readonly organization_id: string; readonly project_id: string },
): void {
  const refused = events.includes(DATA_EVENT) ? refusal(by, 'device-data:read', scope) : undefined
  if (refused) throw new OperationError(refused.code, refused.message)
}
