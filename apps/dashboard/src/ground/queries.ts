import type { UserPrincipal } from '@bearing/contracts/principal'
import { queryOptions } from '@tanstack/react-query'
import { calling, listing } from './calling.js'
import { client } from './client.js'

/** The most organizations or projects that switchers list. */
const SWITCHER_SIZE = 1_000
const MINUTE_MS = 60_000

/** The signed-in user. */
export const me = queryOptions({
  queryKey: ['me'],
  queryFn: async ({ signal }): Promise<UserPrincipal> => {
    const principal = await client.call('whoAmI', {}, { signal })
    if (principal.kind !== 'user') throw new Error('A page was called by something that is no user.')
    return principal
  },
  staleTime: MINUTE_MS,
})

export const organizations = queryOptions({
  ...listing(['organizations'], 'listOrganizations', { per_page: SWITCHER_SIZE }),
  staleTime: MINUTE_MS,
})

export const projectsOf = (organization: string) =>
  queryOptions({
    ...listing(['projects', organization], 'listProjects', { organization, per_page: SWITCHER_SIZE }),
    staleTime: MINUTE_MS,
    // Pages wait for it: if one that appears asked again after a refusal, they would wait for each other forever.
    retryOnMount: false,
  })

/** Facts about this installation. */
export interface InstallationConfig {
  readonly version: string
  readonly public_url: string
  readonly project_key_header: string
  /** A PMTiles file or a style of MapLibre; empty: no map but the land. */
  readonly map_url: string
  /** Name of the map's author. */
  readonly map_attribution: string
}

export const installation = queryOptions({
  queryKey: ['config'],
  queryFn: async ({ signal }): Promise<InstallationConfig> => {
    const response = await fetch('/app/config.json', { signal })
    if (!response.ok)
      throw new Error(`The gateway answered ${String(response.status)} for its configuration.`)
    const config = (await response.json()) as InstallationConfig // written by serve-dashboard.ts
    return { ...config, public_url: config.public_url || window.location.origin }
  },
  staleTime: Infinity,
})

export const signInPolicyOf = (organization: string) =>
  calling(['sign-in-policy', organization], 'showSignInPolicy', { organization })

export const tokenPolicyOf = (organization: string) =>
  calling(['token-policy', organization], 'showOrganizationTokenPolicy', { organization })
