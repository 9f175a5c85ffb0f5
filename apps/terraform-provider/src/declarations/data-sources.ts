import { TOKEN_PRESETS } from '@bearing/contracts/identity/tokens/token-presets'
import { PERMISSIONS } from '@bearing/contracts/permission'
import type { Values } from '../wire/value.js'
import { FOLLOWS, type DataSource, type EphemeralResource } from './resource.js'

const NEW = 'the same for every new token'

/** Every data source. */
export const DATA_SOURCES: readonly DataSource[] = [
  {
    name: 'organization',
    summary: 'The organization of the provider.',
    read: { show: 'showOrganization' },
    without: {},
  },
  {
    name: 'projects',
    summary: 'The projects that the credential may see.',
    read: { list: 'listProjects' },
    without: {},
  },
  {
    name: 'devices',
    summary: 'The devices of a project. Filter large projects: the state contains every device.',
    read: { list: 'listDevices' },
    without: { sort: 'Terraform sorts', with: 'attributes are read one by one' },
  },
  {
    name: 'members',
    summary: 'The members of the organization.',
    read: { list: 'listMembers' },
    without: {},
  },
  {
    name: 'permissions',
    summary: 'The names of all permissions, and the presets of tokens.',
    read: { values: permissions },
    without: {},
  },
]

function permissions(): Values {
  const presets = Object.entries(TOKEN_PRESETS).map(([name, preset]) => [name, preset.permissions] as const)
  return { permissions: PERMISSIONS, presets: Object.fromEntries(presets) }
}

/** Every ephemeral resource. */
export const EPHEMERAL_RESOURCES: readonly EphemeralResource[] = [
  {
    name: 'organization_token',
    summary:
      'A token that is weaker than that of the provider, derived at each run and never stored. Requires a token or a workload that may derive.',
    open: 'deriveOrganizationToken',
    secrets: ['token'],
    without: {
      ...{ deleted_at: NEW, leaked_at: NEW, last_used: NEW, replaces: NEW, replaced_by: NEW, state: NEW },
      ...{ administers: FOLLOWS, workload: FOLLOWS },
    },
  },
]
