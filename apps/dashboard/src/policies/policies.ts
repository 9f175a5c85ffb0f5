import { queryOptions } from '@tanstack/react-query'
import { client } from '../ground/client.js'

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
