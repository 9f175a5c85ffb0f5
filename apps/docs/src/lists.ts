import { natsList } from './nats-list.js'
import { permissionsList } from './permissions-list.js'
import { routesList, type Groups } from './routes-list.js'
import { AUDIT_ACTIONS } from '@bearing/contracts/identity/audit/audit-actions'
import { code, table, codes } from './markdown.js'
import { ERROR_CODES, ERRORS } from '@bearing/contracts/errors'
import { findMetrics } from './find-metrics.js'

const [BEGIN, END] = ['<!-- list -->', '<!-- /list -->']

/** Returns the lists that follow from the code, by page below docs/. */
export async function listsOf(groups: Groups, settings: Settings): Promise<Map<string, string>> {
  return new Map([
    ['audit-actions.md', auditActionsList()],
    ['configuration.md', settingsList(settings)],
    ['errors/README.md', errorsList()],
    ['http-routes.md', routesList(groups)],
    ['metrics.md', metricsList()],
    ['nats-operations.md', await natsList()],
    ['permissions.md', permissionsList()],
  ])
}

/** Returns a page with the list between its marks. */
export function withList(page: string, list: string): string {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)]
  if (begin < 0 || end < begin) throw new Error('There is no place for the list.')
  return `${page.slice(0, begin)}${list}${page.slice(end + END.length)}`
}

/** Returns the actions of the audit log, by service. */
function auditActionsList(): string {
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

/** Returns the error codes, with links to their pages. */
function errorsList(): string {
  const rows = ERROR_CODES.toSorted().map((name) => {
    const { status, title } = ERRORS[name]
    return [`[${code(name)}](${name}.md)`, String(status), title]
  })
  return table(['code', 'status', 'title'], rows)
}

/** Returns the metrics of all services. */
function metricsList(): string {
  const rows = findMetrics().map(({ name, type, labels, help }) => [code(name), type, codes(labels), help])
  return table(['metric', 'type', 'labels', 'what it is'], rows)
}

interface Setting {
  readonly description: string
  readonly default?: string
  readonly secret?: true
}
/** The schemas that the services read their environment with, by service. */
type Settings = Readonly<Record<string, Readonly<Record<string, Setting>>>>

/** Returns every setting of every service. */
function settingsList(services: Settings): string {
  const settings = new Map<string, Setting & { services: string[] }>()
  for (const [service, config] of Object.entries(services))
    for (const [name, setting] of Object.entries(config))
      settings.set(name, { ...setting, services: [...(settings.get(name)?.services ?? []), service] })
  const rows = [...settings].map(([name, setting]) => [
    code(name),
    setting.services.length === Object.keys(services).length ? 'all' : setting.services.join(', '),
    setting.default === undefined ? '**required**' : setting.default === '' ? 'none' : code(setting.default),
    `${setting.description}${setting.secret ? ' (secret)' : ''}`,
  ])
  return table(['variable', 'service', 'default', 'what it is'], rows)
}
