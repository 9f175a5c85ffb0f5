import { auditActionsPage } from './audit-actions-page.js'
import { errorsPage } from './errors-page.js'
import { metricsPage } from './metrics-page.js'
import { natsPage } from './nats-page.js'
import { permissionsPage } from './permissions-page.js'
import { routesPage } from './routes-page.js'

/** Returns the pages of the reference that follow from the code, by path below docs/. */
export async function referencePages(): Promise<ReadonlyMap<string, string>> {
  return new Map([
    ['audit-actions.md', auditActionsPage()],
    ['errors/README.md', errorsPage()],
    ['http-routes.md', await routesPage()],
    ['metrics.md', metricsPage()],
    ['nats-operations.md', await natsPage()],
    ['permissions.md', permissionsPage()],
  ])
}
