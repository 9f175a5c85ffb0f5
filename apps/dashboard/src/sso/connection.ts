import type { CallOutput } from '@bearing/client/call-types'
import { listing } from '../ground/calling.js'

export type Connection = CallOutput<'showSsoConnection'>
export type Domain = CallOutput<'listSsoDomains'>['data'][number]

/** The most connections and domains that the page reads; organizations have few. */
const READ = 100

export const connectionsOf = (organization: string) =>
  listing(['sso-connections', organization], 'listSsoConnections', { organization, per_page: READ })

export const domainsOf = (organization: string) =>
  listing(['sso-domains', organization], 'listSsoDomains', { organization, per_page: READ })
