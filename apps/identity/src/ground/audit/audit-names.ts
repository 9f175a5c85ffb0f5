import type { Database } from '../database.js'
import type { AuditEntry } from '../../generated/prisma/client.js'

type Row = Pick<AuditEntry, 'target' | 'actorUserId' | 'actorCredentialId' | 'organizationId'>

/** Readable names for the ids of some rows, by id. */
export type AuditNames = ReadonlyMap<string | null, string>

/** Returns email addresses of users and invitations, and names of tokens and connections: one query for each table. */
export async function namesOf(
  database: Database,
  organizationId: string,
  rows: readonly Row[],
): Promise<{ readonly emails: AuditNames; readonly tokens: AuditNames; readonly targets: AuditNames }> {
  const targets = rows.map(({ target }) => target)
  const users = [
    ...rows.map(({ actorUserId }) => actorUserId).filter((id) => id !== null),
    ...idsOf('user', targets),
    ...idsOf('project_member', targets).map((id) => id.slice(id.indexOf('/') + 1)),
  ]
  const tokens = [
    ...rows.map(({ actorCredentialId }) => actorCredentialId).filter((id) => id !== null),
    ...idsOf('organization_token', targets),
  ]
  const [people, descriptions, invitations, connections] = await Promise.all([
    database.user.findMany({ where: { id: { in: distinct(users) } }, select: { id: true, email: true } }),
    database.organizationToken.findMany({
      where: { organizationId, id: { in: distinct(tokens) } },
      select: { id: true, description: true },
    }),
    database.invitation.findMany({
      where: { organizationId, id: { in: distinct(idsOf('invitation', targets)) } },
      select: { id: true, email: true },
    }),
    database.ssoConnection.findMany({
      where: { organizationId, id: { in: distinct(idsOf('sso_connection', targets)) } },
      select: { id: true, name: true },
    }),
  ])
  const emails = people.map(({ id, email }) => [id, email] as const)
  const named = descriptions.map(({ id, description }) => [id, description] as const)
  return {
    emails: new Map(emails),
    tokens: new Map(named),
    targets: new Map([
      ...emails,
      ...named,
      ...invitations.map(({ id, email }) => [id, email] as const),
      ...connections.map(({ id, name }) => [id, name] as const),
    ]),
  }
}

/** Returns the id that {@link AuditNames} has of a target. */
export function namedId(target: string): string {
  return target.slice(Math.max(target.indexOf(':'), target.lastIndexOf('/')) + 1)
}

function idsOf(noun: string, targets: readonly string[]): string[] {
  return targets
    .filter((target) => target.startsWith(`${noun}:`))
    .map((target) => target.slice(noun.length + 1))
}

/** Returns distinct ids; whatever a target has in place of an id is left out. */
function distinct(ids: readonly string[]): string[] {
  return [...new Set(ids)].filter((id) => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id))
}
