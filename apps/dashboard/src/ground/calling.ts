import type { CallInput, CallOutput, ListItem, ListName } from '@bearing/client/call-types'
import type { RouteName } from '@bearing/contracts/routes'
import { queryOptions, type QueryKey } from '@tanstack/react-query'
import { client } from './client.js'
import { queryClient } from './query-client.js'

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

/** Makes one call, and reads again what it has changed. */
export async function makeCall<Name extends RouteName>(
  name: Name,
  input: CallInput<Name>,
  ...changed: readonly QueryKey[]
): Promise<void> {
  await client.call(name, input)
  for (const queryKey of changed) await queryClient.invalidateQueries({ queryKey })
}
