import { needsClaims } from '@bearing/contracts/operation'
import { pathTemplate } from '@bearing/contracts/route'
import { ROUTES, type Route } from '@bearing/contracts/routes'
import { code, table } from './markdown.js'

/** Groups of the routes in the OpenAPI document of the gateway. */
export interface Groups {
  readonly TAGS: Readonly<Record<string, string>>
  readonly tagOf: (route: Route) => string
}

/** Returns all HTTP routes, by group. */
export function routesList({ TAGS, tagOf }: Groups): string {
  const routes = Object.entries(ROUTES as Readonly<Record<string, Route>>)
  return Object.entries(TAGS)
    .map(([tag, about]) => {
      const rows = routes
        .filter(([, route]) => tagOf(route) === tag)
        .map(([name, route]) => rowOf(name, route))
      return `## ${tag}\n\n${about}\n\n${table(['route', 'operation', 'permission'], rows)}`
    })
    .join('\n\n')
}

function rowOf(name: string, route: Route): string[] {
  const { permission } = route.operation
  return [
    code(`${route.method} ${pathTemplate(route).template}`),
    code(name),
    needsClaims(permission) ? code(permission) : permission,
  ]
}
