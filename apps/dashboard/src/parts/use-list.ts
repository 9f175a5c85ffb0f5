import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useNavigate, useRouterState } from '@tanstack/react-router'
import { useUrlState } from '../ground/url-state.js'
import type { CursorPage } from './list.js'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Number of pages of a list that were turned to come here: so many steps back are pages of this list. */
    turned?: number
  }
}

/** Parameter of the URL in which the place in a list is. */
const PLACE = 'after'

interface Options<Key extends string, Page> {
  /** Names the list: `['audit', organization]`. Rows of a list with another name are never shown in its place. */
  readonly name: readonly string[]
  /** Parameters of the URL that filter it. */
  readonly filters: readonly Key[]
  /** Reads one page. `cursor` is left out for the first one. */
  readonly read: (
    filter: Readonly<Record<Key, string>>,
    place: { readonly cursor?: string },
    signal: AbortSignal,
  ) => Promise<Page>
  readonly isEnabled?: boolean
  /** Reads it again so often, in milliseconds, while the page is visible. */
  readonly refetchMs?: number
}

interface ListState<Key extends string, Page> extends CursorPage {
  readonly page: UseQueryResult<Page>
  readonly filter: Readonly<Record<Key, string>>
  /** Changes filters, and returns to the first page. */
  readonly change: (change: Partial<Record<Key, string>>) => void
}

/** A list that is filtered and paged by the server. Its whole state is in the URL, so it can be shared and the browser's Back works. */
export function useList<Key extends string, Page extends { readonly next: string | null }>({
  name,
  filters,
  read,
  isEnabled = true,
  refetchMs,
}: Options<Key, Page>): ListState<Key, Page> {
  const [state, change] = useUrlState<Key | typeof PLACE>([...filters, PLACE])
  const cursor = state[PLACE]
  const filter = Object.fromEntries(filters.map((key) => [key, state[key]])) as Record<Key, string>
  const page = useQuery({
    queryKey: [...name, filter, cursor],
    queryFn: ({ signal }) => read(filter, cursor === '' ? {} : { cursor }, signal),
    enabled: isEnabled,
    placeholderData: (rows, of) => (name.every((part, at) => of?.queryKey[at] === part) ? rows : undefined),
    ...(refetchMs !== undefined && { refetchInterval: refetchMs }),
  })
  const navigate = useNavigate()
  const turned = useRouterState({ select: ({ location }) => location.state.turned ?? 0 })
  const next = page.isPlaceholderData ? undefined : page.data?.next
  const turnTo = (place: string) =>
    void navigate({
      to: '.',
      search: (search: Record<string, unknown>) => ({ ...search, [PLACE]: place }),
      state: { turned: turned + 1 },
    })
  return {
    page,
    filter,
    change: (next) => {
      change({ ...next, [PLACE]: '' } as Partial<Record<Key | typeof PLACE, string>>) // a place is one of its filter
    },
    onPrevious:
      cursor === ''
        ? undefined
        : () => {
            // The page before is a step back, unless the user opened a shared address in the middle.
            if (turned > 0) window.history.back()
            else change({ [PLACE]: '' } as Partial<Record<Key | typeof PLACE, string>>)
          },
    onNext: typeof next === 'string' ? () => turnTo(next) : undefined,
  }
}
