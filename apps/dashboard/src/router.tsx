import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  parseSearchWith,
  stringifySearchWith,
  type AnyRoute,
} from '@tanstack/react-router'
import { SignInPage } from './sign-in/sign-in-page.js'
import { NotFound, PageFailed } from './shell/not-found.js'
import { PAGES } from './shell/pages.js'

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFound })

const front = (
  path: string,
  component: NonNullable<Parameters<typeof createRoute>[0]['component']>,
): AnyRoute => createRoute({ getParentRoute: () => root, path, component })

const shell = createRoute({
  getParentRoute: () => root,
  path: '/app',
  component: lazyRouteComponent(() => import('./shell/shell.js'), 'Shell'),
  notFoundComponent: NotFound,
})

const home = createRoute({
  getParentRoute: () => shell,
  path: '/',
  component: lazyRouteComponent(() => import('./organization/home-page.js'), 'HomePage'),
})

const pages: AnyRoute[] = PAGES.map(({ path, load, read }) =>
  createRoute({
    getParentRoute: () => shell,
    path,
    component: lazyRouteComponent(load),
    loader: ({ params }: { readonly params: { readonly organization?: string } }) =>
      read?.(params.organization ?? ''),
  }),
)

export const router = createRouter({
  routeTree: root.addChildren([
    front('/sign-in', SignInPage),
    front(
      '/sign-on/switch',
      lazyRouteComponent(() => import('./sign-in/switch-page.js'), 'SwitchPage'),
    ),
    front(
      '/invitation',
      lazyRouteComponent(() => import('./sign-in/invitation-page.js'), 'InvitationPage'),
    ),
    front(
      '/password-reset',
      lazyRouteComponent(() => import('./sign-in/reset-page.js'), 'PasswordResetPage'),
    ),
    front(
      '/email-change',
      lazyRouteComponent(() => import('./sign-in/email-change-page.js'), 'EmailChangePage'),
    ),
    front(
      '/partner',
      lazyRouteComponent(() => import('./sign-in/partner-page.js'), 'PartnerPage'),
    ),
    front(
      '/command-line',
      lazyRouteComponent(() => import('./sign-in/command-line-page.js'), 'CommandLinePage'),
    ),
    shell.addChildren([home, ...pages]),
  ]),
  defaultPreload: 'intent',
  defaultErrorComponent: PageFailed,
  // Parameters are texts: `?q=42`, and not `?q=%2242%22`.
  parseSearch: parseSearchWith((text) => text),
  stringifySearch: stringifySearchWith(String),
  scrollRestoration: false,
})
