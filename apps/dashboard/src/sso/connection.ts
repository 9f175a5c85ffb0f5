import type { CallOutput } from '@bearing/client/call-types'
import { queryOptions } from '@tanstack/react-query'
import { client } from '../ground/client.js'

export type Connection = CallOutput<'showSsoConnection'>
export type Domain = CallOutput<'listSsoDomains'>['data'][number]

/** The most connections and domains that the page reads; organizations have few. */
const READ = 100

export const connectionsOf = (organization: string) =>
  queryOptions({
    queryKey: ['sso-connections', organization],
    queryFn: async ({ signal }) =>
      (await client.call('listSsoConnections', { organization, per_page: READ }, { signal })).data,
  })

export const domainsOf = (organization: string) =>
  queryOptions({
    queryKey: ['sso-domains', organization],
    queryFn: async ({ signal }) =>
      (await client.call('listSsoDomains', { organization, per_page: READ }, { signal })).data,
  })
