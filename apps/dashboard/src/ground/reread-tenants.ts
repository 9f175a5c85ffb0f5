import { me } from './queries.js'
import { queryClient } from './query-client.js'

const TRIES = 10
const PAUSE_MS = 300

/**
 * Reads again what organizations and projects there are, after one was deleted or restored.
 *
 * @param expected an organization, and whether the user reaches it now: every gateway knows within a second
 */
export async function rereadTenants(expected?: {
  readonly id: string
  readonly isThere: boolean
}): Promise<void> {
  for (let left = expected ? TRIES : 0; left > 0; left--) {
    const { grants } = await queryClient.query({ ...me, staleTime: 0 })
    if (grants.some(({ organization_id }) => organization_id === expected?.id) === expected?.isThere) break
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
  await Promise.all(
    ['organizations', 'projects', 'deletions'].map((key) =>
      queryClient.invalidateQueries({ queryKey: [key] }),
    ),
  )
}
