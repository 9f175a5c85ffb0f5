import { auditActionsList } from './audit-actions-list.js'
import { errorsList } from './errors-list.js'
import { metricsList } from './metrics-list.js'
import { natsList } from './nats-list.js'
import { permissionsList } from './permissions-list.js'
import { routesList, type Groups } from './routes-list.js'
import { settingsList, type Settings } from './settings-list.js'

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
