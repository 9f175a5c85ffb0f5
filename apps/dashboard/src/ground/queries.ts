import type { UserPrincipal } from '@bearing/contracts/principal'
import { queryOptions } from '@tanstack/react-query'
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
  queryKey: ['organizations'],
  queryFn: async ({ signal }) =>
    (await client.call('listOrganizations', { per_page: SWITCHER_SIZE }, { signal })).data,
  staleTime: MINUTE_MS,
})

export const projectsOf = (organization: string) =>
  queryOptions({
    queryKey: ['projects', organization],
    queryFn: async ({ signal }) =>
      (await client.call('listProjects', { organization, per_page: SWITCHER_SIZE }, { signal })).data,
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
  queryOptions({
    queryKey: ['sign-in-policy', organization],
    queryFn: ({ signal }) => client.call('showSignInPolicy', { organization }, { signal }),
  })

export const tokenPolicyOf = (organization: string) =>
  queryOptions({
    queryKey: ['token-policy', organization],
    queryFn: ({ signal }) => client.call('showOrganizationTokenPolicy', { organization }, { signal }),
  })
