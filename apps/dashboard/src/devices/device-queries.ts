import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { client } from '../ground/client.js'
import { queryClient } from '../ground/query-client.js'
import { filterOf, orderOf, ordersOf, rowsOf, type ListState } from './device-filter.js'

/** The most attributes that a project declares. */
const MAX_ATTRIBUTES = 64

/** A page of the devices of a project. */
export const devicesOf = (organization: string, project: string, state: ListState) => {
  const order = orderOf(state)
  const input = {
    ...filterOf(state),
    // The default order is not named: without filter and order the server counts exactly.
    ...(order !== ordersOf(state)[0]?.id && { sort: order }),
    ...(state.cursor !== '' && { cursor: state.cursor }),
    with: 'attributes' as const,
    per_page: rowsOf(state),
  }
  return queryOptions({
    queryKey: ['devices', organization, project, input],
    queryFn: ({ signal }) => client.call('listDevices', { organization, project, ...input }, { signal }),
    placeholderData: keepPreviousData,
  })
}

export const deviceOf = (organization: string, project: string, device_serial: string) =>
  queryOptions({
    queryKey: ['device', organization, project, device_serial],
    queryFn: ({ signal }) => client.call('showDevice', { organization, project, device_serial }, { signal }),
  })

export const attributesOf = (organization: string, project: string) =>
  queryOptions({
    queryKey: ['device-attributes', organization, project],
    queryFn: async ({ signal }) =>
      (await client.call('listAttributes', { organization, project, per_page: MAX_ATTRIBUTES }, { signal }))
        .data,
    staleTime: 60_000,
  })

/** Reads devices again, after a change. */
export async function rereadDevices(): Promise<void> {
  await Promise.all(
    ['devices', 'device', 'timeline'].map((key) => queryClient.invalidateQueries({ queryKey: [key] })),
  )
}
