import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { calling, listing } from '../ground/calling.js'
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
    ...calling(['devices', organization, project, input], 'listDevices', { organization, project, ...input }),
    placeholderData: keepPreviousData,
  })
}

export const deviceOf = (organization: string, project: string, device_serial: string) =>
  calling(['device', organization, project, device_serial], 'showDevice', {
    organization,
    project,
    device_serial,
  })

export const attributesOf = (organization: string, project: string) =>
  queryOptions({
    ...listing(['device-attributes', organization, project], 'listAttributes', {
      organization,
      project,
      per_page: MAX_ATTRIBUTES,
    }),
    staleTime: 60_000,
  })

/** Reads devices again, after a change. */
export async function rereadDevices(): Promise<void> {
  await Promise.all(
    ['devices', 'device', 'timeline'].map((key) => queryClient.invalidateQueries({ queryKey: [key] })),
  )
}
