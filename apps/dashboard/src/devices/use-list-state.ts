import { useNavigate } from '@tanstack/react-router'
import { useUrlState } from '../ground/url-state.js'
import { LIST_KEYS, type ListState } from './device-filter.js'

/** The id of a deletion of many devices that this browser has started. */
const KEYS = [...LIST_KEYS, 'deletion'] as const
export type PageState = ListState & { readonly deletion: string }

/** Returns the state of the list in the URL, and what changes it. */
export function useListState(): {
  readonly state: PageState
  readonly change: (change: Partial<PageState>) => void
  /** Changes what is selected: the list begins with its first page again. */
  readonly select: (change: Partial<PageState>) => void
  /** Leads to another page of the list, from which the browser leads back. */
  readonly open: (cursor: string, from: number) => void
} {
  const [state, change] = useUrlState(KEYS)
  const navigate = useNavigate()
  return {
    state,
    change,
    select: (next) => change({ ...next, cursor: '', from: '' }),
    open: (cursor, from) => {
      const all = { ...state, cursor, from: cursor === '' ? '' : String(from) }
      const search = Object.fromEntries(Object.entries(all).filter(([, text]) => text !== ''))
      void navigate({ to: '.', search })
      window.scrollTo({ top: 0 })
    },
  }
}
