import type { Permission } from '@bearing/contracts/permission'
import type { ComponentType } from 'react'
import { PAGE_PATHS } from '../ground/page-paths.js'
import type { Section } from './sections.js'

/** A page inside the shell. Router, navigation and the specs are derived from {@link PAGES}. */
export interface DashboardPage {
  /** Path below `/app`, with `$organization` and `$project` for slugs. */
  readonly path: string
  /** The text of its link, and of its heading. */
  readonly title: string
  /** The entry of the navigation that it belongs to; its pages are the second level. */
  readonly section: Section['id']
  /** Several pages of a section that share one link of the second level. */
  readonly under?: string
  /** Without it the link is left out. Undefined: every user may see the page. */
  readonly permission?: Permission
  /** Further words that the command palette finds it by. */
  readonly words?: string
  readonly load: () => Promise<{ readonly default: ComponentType }>
  /** Begins to read what the page shows, beside what the shell reads. */
  readonly read?: (organization: string) => Promise<void>
}

const PROJECT = '/o/$organization/p/$project'
const ADMIN = '/o/$organization/admin'

const page =
  <Name extends string>(name: Name, load: () => Promise<Record<Name, ComponentType>>) =>
  async () => ({ default: (await load())[name] })

export const PAGES: readonly DashboardPage[] = [
  {
    path: '/o/$organization',
    title: 'Home',
    section: 'home',
    words: 'projects attention overview',
    load: page('OrganizationPage', () => import('../organization/organization-page.js')),
    read: async (organization) => {
      const { readHome } = await import('../organization/organization-page.js')
      readHome(organization)
    },
  },
  {
    path: `${PROJECT}/location`,
    title: 'Map',
    section: 'location',
    permission: 'device-data:read',
    words: 'location positions devices where',
    load: page('LocationPage', () => import('../positions/location-page.js')),
  },
  {
    path: `${PROJECT}/location/try`,
    title: 'Try it',
    section: 'location',
    words: 'scan locate position explain wifi curl',
    permission: 'location:resolve',
    load: page('TryPage', () => import('../positions/try-page.js')),
  },
  {
    path: `${PROJECT}/location/coverage`,
    title: 'Coverage',
    section: 'location',
    words: 'access points map fallback settings erase',
    permission: 'access-point:read',
    load: page('CoveragePage', () => import('../positions/coverage-page.js')),
  },
  {
    path: `${PROJECT}/location/imports`,
    title: 'Imports',
    section: 'location',
    words: 'upload file wigle csv survey access points',
    permission: 'access-point:import',
    load: page('ImportsPage', () => import('../positions/imports-page.js')),
  },
  {
    path: `${PROJECT}/devices`,
    title: 'Devices',
    section: 'devices',
    permission: 'device:read',
    words: 'serial search register import',
    load: page('DevicesPage', () => import('../devices/devices-page.js')),
  },
  {
    path: `${PROJECT}/devices/$serial`,
    title: 'Device',
    section: 'devices',
    permission: 'device:read',
    load: page('DevicePage', () => import('../devices/device-page.js')),
  },
  {
    path: `${PROJECT}/files`,
    title: 'Files',
    section: 'files',
    permission: 'file:read',
    words: 'coredumps uploads download',
    load: page('FilesPage', () => import('../files/files-page.js')),
  },
  {
    path: `${PROJECT}/symbols`,
    title: 'Symbols',
    section: 'files',
    permission: 'file:read',
    words: 'elf build id coredumps',
    load: page('SymbolsPage', () => import('../files/symbols-page.js')),
  },
  {
    path: `${PROJECT}/webhooks`,
    title: 'Webhooks',
    section: 'webhooks',
    permission: 'webhook:read',
    words: 'deliveries events signature',
    load: page('WebhooksPage', () => import('../webhooks/webhooks-page.js')),
  },
  {
    path: `${PROJECT}/webhooks/$webhook`,
    title: 'Webhook',
    section: 'webhooks',
    permission: 'webhook:read',
    load: page('WebhookPage', () => import('../webhooks/webhook-page.js')),
  },
  {
    path: `${PROJECT}/settings/general`,
    title: 'General',
    section: 'settings',
    permission: 'project:read',
    words: 'slugs ids rename settings',
    load: page('GeneralPage', () => import('../settings/general-page.js')),
  },
  {
    path: `${PROJECT}/settings/project-key`,
    title: 'Project Key',
    section: 'settings',
    permission: 'project-key:read',
    words: 'chunk send header replace cycle',
    load: page('ProjectKeyPage', () => import('../settings/project-key-page.js')),
  },
  {
    path: `${PROJECT}/settings/onboarding`,
    title: 'Onboarding',
    section: 'settings',
    permission: 'device:read',
    words: 'device identity keys claims tokens qr production',
    load: page('OnboardingPage', () => import('../settings/onboarding-page.js')),
  },
  {
    path: `${PROJECT}/settings/members`,
    title: 'Project Members',
    section: 'settings',
    permission: 'project-member:read',
    load: page('ProjectMembersPage', () => import('../members/project-members-page.js')),
  },
  {
    path: `${PROJECT}/settings/user-api-key`,
    title: 'User API Key',
    section: 'settings',
    load: page('UserKeyPage', () => import('../account/user-key-card.js')),
  },
  {
    path: `${PROJECT}/settings/attributes`,
    title: 'Device Attributes',
    section: 'settings',
    permission: 'device:read',
    words: 'devices fields types',
    load: page('AttributesPage', () => import('../devices/attributes-page.js')),
  },
  {
    path: `${PROJECT}/settings/data`,
    title: 'Data',
    section: 'settings',
    permission: 'data-policy:read',
    words: 'retention quota limits sampling policy',
    load: page('DataPage', () => import('../settings/data-policy-form.js')),
  },
  {
    path: `${PROJECT}/settings/positions`,
    title: 'Positions',
    section: 'settings',
    permission: 'data-policy:read',
    words: 'retention privacy policy',
    load: page('PositionsPage', () => import('../settings/positions-page.js')),
  },
  {
    path: `${ADMIN}/members`,
    title: 'Members',
    section: 'admin',
    permission: 'member:read',
    words: 'people invite roles admins',
    load: page('MembersPage', () => import('../members/members-page.js')),
  },
  {
    path: `${ADMIN}/tokens`,
    title: 'Organization Auth Tokens',
    section: 'admin',
    permission: 'organization-token:read',
    words: 'create rotate leaked whose secret ci',
    load: page('TokensPage', () => import('../tokens/tokens-page.js')),
  },
  {
    path: `${ADMIN}/single-sign-on`,
    title: 'Single sign-on',
    section: 'admin',
    under: 'Security',
    permission: 'sso-connection:read',
    load: page('SingleSignOnPage', () => import('../sso/single-sign-on-page.js')),
  },
  {
    path: `${ADMIN}/rules`,
    title: 'Rules',
    section: 'admin',
    under: 'Security',
    permission: 'sign-in-policy:read',
    load: page('RulesPage', () => import('../settings/rules-page.js')),
  },
  {
    path: `${ADMIN}/trusts`,
    title: 'Workload trusts',
    section: 'admin',
    under: 'Security',
    permission: 'workload-trust:read',
    words: 'ci github gitlab buildkite kubernetes google oidc keyless exchange',
    load: page('TrustsPage', () => import('../tokens/trusts-page.js')),
  },
  {
    path: `${ADMIN}/audit-log`,
    title: 'Audit log',
    section: 'admin',
    permission: 'audit-log:read',
    words: 'history events verify chain export',
    load: page('AuditPage', () => import('../organization/audit-page.js')),
  },
  {
    path: `${ADMIN}/usage`,
    title: 'Usage',
    section: 'admin',
    permission: 'organization-usage:read',
    words: 'limits quota bytes look-ups requests',
    load: page('UsagePage', () => import('../organization/usage-page.js')),
  },
  {
    path: `${ADMIN}/deletion`,
    title: 'Deleted',
    section: 'admin',
    permission: 'project:delete',
    words: 'deletion restore erase projects organization',
    load: page('DeletionPage', () => import('../settings/deletion-page.js')),
  },
  {
    path: '/account',
    title: 'Account',
    section: 'account',
    words: 'sessions password second factor theme dark',
    load: page('AccountPage', () => import('../account/account-page.js')),
  },
]

for (const { path } of PAGES) PAGE_PATHS.add(path)

/** Returns true if a page can be linked without naming one object of many, such as a device. */
export function isLinked({ path }: DashboardPage): boolean {
  return !path.replace('$organization', '').replace('$project', '').includes('$')
}
