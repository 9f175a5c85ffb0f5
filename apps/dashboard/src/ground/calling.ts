import type { CallInput, CallOutput, ListItem, ListName } from '@bearing/client/call-types'
import type { RouteName } from '@bearing/contracts/routes'
import { queryOptions, type QueryKey } from '@tanstack/react-query'
import { client } from './client.js'

/** Returns a query that makes one call. */
export function calling<Name extends RouteName>(queryKey: QueryKey, name: Name, input: CallInput<Name>) {
  return queryOptions({
    queryKey,
    queryFn: ({ signal }): Promise<CallOutput<Name>> => client.call(name, input, { signal }),
  })
}

/** Returns a query that reads the items of one page of a list. */
export function listing<Name extends ListName>(queryKey: QueryKey, name: Name, input: CallInput<Name>) {
  return queryOptions({
    queryKey,
    queryFn: async ({ signal }): Promise<readonly ListItem<Name>[]> =>
      (await client.call(name, input, { signal })).data,
  })
}
