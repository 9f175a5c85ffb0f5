import { refusal } from '@bearing/access/authorize'
import { OperationError } from '@bearing/contracts/errors'
import { DATA_EVENT } from '@bearing/contracts/management/webhook'
import { AUDIT_EVENT } from '@bearing/contracts/management/webhook-destination'
import type { Permission } from '@bearing/contracts/permission'
import type { Principal } from '@bearing/contracts/principal'

interface Scope {
  readonly organization_id: string
  readonly project_id: string
}

/**
 * Requires that who decides where the events of a project go may read what its devices have sent, or the audit log, if that is
 * among them.
 *
 * @throws OperationError `permission_denied`
 */
export function requireDataPermission(by: Principal, events: readonly string[], scope: Scope): void {
  require(by, events, scope, DATA_EVENT, 'device-data:read')
  requireAuditPermission(by, events, scope)
}

/**
 * Requires that a caller may read the audit log, if a webhook receives it: those who manage a project cannot stop or move it.
 *
 * @throws OperationError `permission_denied`
 */
export function requireAuditPermission(by: Principal, events: readonly string[], scope: Scope): void {
  require(by, events, scope, AUDIT_EVENT, 'audit-log:read')
}

function require(
  by: Principal,
  events: readonly string[],
  scope: Scope,
  event: string,
  permission: Permission,
): void {
  const refused = events.includes(event) ? refusal(by, permission, scope) : undefined
  if (refused) throw new OperationError(refused.code, refused.message)
}
