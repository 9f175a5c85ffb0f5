import type { CallInput, CallOutput } from '@bearing/client/call-types'
import type { Session } from '../session.js'

/** Devices of one request. */
const PER_REQUEST = 1_000

type Page = CallOutput<'listDevices'>
type Query = Omit<CallInput<'listDevices'>, 'organization' | 'project' | 'page' | 'per_page' | 'cursor'>

/**
 * Reads the devices of a project, page by page.
 *
 * @param limit the most devices; Infinity for all
 */
export async function* readDevices(
  { client, organization, project }: Session,
  query: Query,
  limit = Infinity,
): AsyncGenerator<Page> {
  let left = limit
  let cursor: string | undefined
  do {
    const found = await client.call('listDevices', {
      ...{ organization, project, page: 1, per_page: Math.min(PER_REQUEST, left) },
      ...query,
      ...(cursor !== undefined && { cursor }),
    })
    yield found
    left -= found.data.length
    cursor = found.next ?? undefined
  } while (cursor !== undefined && left > 0)
}
