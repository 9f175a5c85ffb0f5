import { ORGANIZATION_TOKEN } from '@bearing/contracts/principal'

/** Returns the action and the target of an audit event about an organization token. */
export function tokenAudit(
  change: 'created' | 'deleted' | 'derived' | 'exchanged' | 'rotated' | 'leaked',
  id: string,
) {
  return { action: `${ORGANIZATION_TOKEN}.${change}`, target: [ORGANIZATION_TOKEN, id] } as const
}
