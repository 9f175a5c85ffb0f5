import { IDENTITY_ROUTES } from './identity/routes.js'
import { LOCATION_ROUTES } from './location/routes.js'
import { MANAGEMENT_ROUTES } from './management/routes.js'

export type { Method, Route } from './route.js'

/**
 * The whole HTTP surface: a table for each service. Gateway, API reference, client and the authorization tests are derived
 * from it.
 */
export const ROUTES = { ...IDENTITY_ROUTES, ...MANAGEMENT_ROUTES, ...LOCATION_ROUTES } as const

/** The name of a route. */
export type RouteName = keyof typeof ROUTES
