import { IDENTITY_ROUTES } from './identity/routes.js'
import { LOCATION_ROUTES } from './location/routes.js'
import { MANAGEMENT_ROUTES } from './management/routes.js'

export type { Method, Route } from './route.js'

/** Every HTTP route. Gateway, API reference, client and authorization tests are derived from this table. */
export const ROUTES = { ...IDENTITY_ROUTES, ...MANAGEMENT_ROUTES, ...LOCATION_ROUTES } as const

export type RouteName = keyof typeof ROUTES
