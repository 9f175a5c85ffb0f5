import { AUDIT_ACTIONS } from '@bearing/contracts/identity/audit/audit-actions'
import { code, table } from './markdown.js'

/** Returns the actions of the audit log, by service. */
export function auditActionsList(): string {
  return Object.entries(AUDIT_ACTIONS as Readonly<Record<string, Readonly<Record<string, string>>>>)
    .map(
      ([service, actions]) =>
        `## Actions of ${service}\n\n${table(
          ['action', 'the actor …'],
          Object.entries(actions)
            .toSorted(([a], [b]) => (a < b ? -1 : 1))
            .map(([action, sentence]) => [code(action), sentence.replaceAll('{target}', '*target*')]),
        )}`,
    )
    .join('\n\n')
}
