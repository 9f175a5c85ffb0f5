import { needsClaims } from '@bearing/contracts/operation'
import { pathTemplate } from '@bearing/contracts/route'
import { ROUTES, type Route } from '@bearing/contracts/routes'
import { importOf } from './app.js'
import { code, GENERATED, table } from './markdown.js'

/** How the gateway groups routes in its OpenAPI document. */
interface Description {
  readonly TAGS: Readonly<Record<string, string>>
  readonly tagOf: (route: Route) => string
}

/** Returns the page of all HTTP routes. */
export async function routesPage(): Promise<string> {
  const { TAGS, tagOf } = (await importOf('gateway', 'reference/describe-route')) as Description // as it exports them
  const routes = Object.entries(ROUTES as Readonly<Record<string, Route>>)
  const groups = Object.entries(TAGS).map(([tag, about]) => {
    const rows = routes.filter(([, route]) => tagOf(route) === tag).map(([name, route]) => rowOf(name, route))
    return `## ${tag}\n\n${about}\n\n${table(['route', 'operation', 'permission'], rows)}`
  })
  return `# HTTP routes

${GENERATED}

Every route with its operation and permission. The API reference at \`/docs/api\` of your gateway shows the requests, responses and errors of each operation; [roles and permissions](permissions.md) shows who has a permission. A \`public\` route needs no credential.

${groups.join('\n\n')}
`
}

function rowOf(name: string, route: Route): string[] {
  const { permission } = route.operation
  return [
    code(`${route.method} ${pathTemplate(route).template}`),
    code(name),
    needsClaims(permission) ? code(permission) : permission,
  ]
}
