import type { AuditEntry } from '@bearing/contracts/identity/audit/audit-log'

/** The version of the schema (https://schema.ocsf.io). */
const VERSION = '1.3.0'
const INFORMATIONAL = 1
const SUCCESS = 1
const FAILURE = 2

const ACCOUNT_CHANGE = 3001
const AUTHENTICATION = 3002
const API_ACTIVITY = 6003

/** Class and activity of actions about accounts and their authentication, and of those whose participle does not show the activity. */
const CLASSES: Readonly<Record<string, readonly [number, number]>> = {
  'access.refused': [AUTHENTICATION, 1],
  'login.allowed': [AUTHENTICATION, 1],
  'login.denied': [AUTHENTICATION, 1],
  'organization_token.exchanged': [AUTHENTICATION, 1],
  'session.started': [AUTHENTICATION, 1],
  'session.refused': [AUTHENTICATION, 1],
  'session.ended': [AUTHENTICATION, 2],
  'user.created': [ACCOUNT_CHANGE, 1],
  'user.registered': [ACCOUNT_CHANGE, 1],
  'user.deleted': [ACCOUNT_CHANGE, 6],
  'password.changed': [ACCOUNT_CHANGE, 3],
  'password.reset': [ACCOUNT_CHANGE, 4],
  'second_factor.enrolled': [ACCOUNT_CHANGE, 10],
  'second_factor.removed': [ACCOUNT_CHANGE, 11],
  'second_factor.reset': [ACCOUNT_CHANGE, 11],
  'membership.granted': [ACCOUNT_CHANGE, 7],
  'membership.promoted': [ACCOUNT_CHANGE, 7],
  'membership.demoted': [ACCOUNT_CHANGE, 8],
  'membership.removed': [ACCOUNT_CHANGE, 8],
  'project_member.set': [ACCOUNT_CHANGE, 7],
  'project_member.removed': [ACCOUNT_CHANGE, 8],
  'organization.founded': [API_ACTIVITY, 1],
  'partner_team.founded': [API_ACTIVITY, 1],
  'access_point.forgotten': [API_ACTIVITY, 4],
  'area.forgotten': [API_ACTIVITY, 4],
  'cell.forgotten': [API_ACTIVITY, 4],
}

/** Activities of API Activity by the participle of the action; others change something. */
const ACTIVITIES: Readonly<Record<string, number>> = {
  ...{ created: 1, registered: 1, claimed: 1, derived: 1, added: 1, imported: 1, declared: 1 },
  ...{ read: 2, exported: 2, downloaded: 2 },
  ...{ deleted: 4, erased: 4, revoked: 4, removed: 4 },
}
const UPDATE = 3

/** Actions that were not done. */
const REFUSED: ReadonlySet<string> = new Set(['refused', 'denied', 'rejected'])

/** Returns an event of OCSF for a row. `unmapped` has the whole row, so the chain can be verified from it. */
export function toOcsf(row: AuditEntry): object {
  const { action, details, address, service } = row
  const participle = action.slice(action.indexOf('.') + 1)
  const [classId, activityId] = CLASSES[action] ?? [API_ACTIVITY, ACTIVITIES[participle] ?? UPDATE]
  const actor = { uid: row.actor_user_id ?? row.actor_credential_id ?? row.actor_service ?? row.actor_kind }
  const agent = details['user_agent']
  return {
    category_uid: Math.floor(classId / 1_000),
    class_uid: classId,
    activity_id: activityId,
    type_uid: classId * 100 + activityId,
    time: Date.parse(row.at),
    severity_id: INFORMATIONAL,
    status_id: REFUSED.has(participle) ? FAILURE : SUCCESS,
    metadata: {
      version: VERSION,
      product: { name: 'Bearing', vendor_name: 'Bearing' },
      ...{ uid: row.id, correlation_uid: row.request_id, event_code: action, log_name: 'audit_log' },
      ...(row.organization_id !== null && { tenant_uid: row.organization_id }),
      ...(row.sequence !== null && { sequence: row.sequence }),
    },
    actor: { user: { ...actor, credential_uid: row.actor_credential_id ?? undefined, type: row.actor_kind } },
    src_endpoint: address === null ? { svc_name: row.actor_service ?? 'bearing' } : { ip: address },
    ...(typeof agent === 'string' && { http_request: { user_agent: agent } }),
    ...(classId === API_ACTIVITY
      ? {
          api: { operation: action, service: { name: service } },
          resources: [{ uid: row.target, type: row.target.replace(/:.*/, '') }],
        }
      : { user: { uid: userOf(row) ?? actor.uid }, service: { name: service } }),
    unmapped: row,
  }
}

/** Returns the id of the user that an action is about. */
function userOf({ target }: AuditEntry): string | undefined {
  const [, id] = /^(?:user:|project_member:[^/]*\/)(.+)$/.exec(target) ?? []
  return id
}
