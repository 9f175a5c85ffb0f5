import { AUDIT_ACTIONS } from '@bearing/contracts/identity/audit/audit-actions'
import { code, GENERATED, table } from './markdown.js'

/** Returns the page of audit actions. */
export function auditActionsPage(): string {
  const sections = Object.entries(
    AUDIT_ACTIONS as Readonly<Record<string, Readonly<Record<string, string>>>>,
  ).map(
    ([service, actions]) =>
      `## Actions of ${service}\n\n${table(
        ['action', 'the actor …'],
        Object.entries(actions)
          .toSorted(([a], [b]) => (a < b ? -1 : 1))
          .map(([action, sentence]) => [code(action), sentence.replaceAll('{target}', '*target*')]),
      )}`,
  )
  return `# Audit actions

${GENERATED}

Every action of the [audit log](audit-log.md). Each service records its own actions; identity refuses those of another one. \`bearing audit-log list --action project_key\` lists a noun, \`--action project_key.cycled\` one action.

${sections.join('\n\n')}
`
}
