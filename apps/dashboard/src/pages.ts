import type { Permission } from '@bearing/contracts/permission'
import type { ComponentType } from 'react'

/** A page inside the shell. Router, navigation and the specs are derived from {@link PAGES}. */
export interface DashboardPage {
  /** Path below `/app`, with `$organization` and `$project` for slugs. */
  readonly path: string
  /** The text of its link. */
  readonly title: string
  readonly group: 'project' | 'settings' | 'admin' | 'account'
  /** Without it the link is left out. Undefined: every user may see the page. */
  readonly permission?: Permission
  readonly load: () => Promise<{ readonly default: ComponentType }>
}

const PROJECT = '/o/$organization/p/$project'
const ADMIN = '/o/$organization/admin'

const page =
  <Name extends string>(name: Name, load: () => Promise<Record<Name, ComponentType>>) =>
  async () => ({ default: (await load())[name] })

export const PAGES: readonly DashboardPage[] = [
  {
    path: `${PROJECT}/settings/general`,
    title: 'General',
    group: 'settings',
    permission: 'project:read',
    load: page('GeneralPage', () => import('./settings/general-page.js')),
  },
  {
    path: `${PROJECT}/settings/project-key`,
    title: 'Project Key',
    group: 'settings',
    permission: 'project-key:read',
    load: page('ProjectKeyPage', () => import('./settings/project-key-page.js')),
  },
  {
    path: `${PROJECT}/settings/user-api-key`,
    title: 'User API Key',
    group: 'settings',
    load: page('UserKeyPage', () => import('./settings/user-key-page.js')),
  },
  {
    path: `${ADMIN}/tokens`,
    title: 'Organization Auth Tokens',
    group: 'admin',
    permission: 'organization-token:read',
    load: page('TokensPage', () => import('./tokens/tokens-page.js')),
  },
  {
    path: `${ADMIN}/members`,
    title: 'Members',
    group: 'admin',
    permission: 'member:read',
    load: page('MembersPage', () => import('./members/members-page.js')),
  },
  {
    path: '/account',
    title: 'Account',
    group: 'account',
    load: page('AccountPage', () => import('./account/account-page.js')),
  },
]

/** The headings of the navigation, in order. */
export const GROUPS: readonly { readonly id: DashboardPage['group']; readonly title: string }[] = [
  { id: 'project', title: 'Project' },
  { id: 'settings', title: 'Project Settings' },
  { id: 'admin', title: 'Admin' },
]
