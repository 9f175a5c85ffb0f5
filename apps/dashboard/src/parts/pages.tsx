import { useUrlState } from '../ground/url-state.js'
import { Button } from './button.js'

/** Leads to the other pages of a list. Shows nothing on the only one. */
export function Pages({
  at,
  pages,
  onPage,
}: {
  readonly at: number
  readonly pages: number
  readonly onPage: (page: number) => void
}) {
  if (pages <= 1 && at <= 1) return null
  return (
    <nav className="row" aria-label="Pages of the list">
      <Button look="small" isDisabled={at <= 1} onPress={() => onPage(Math.max(1, Math.min(at - 1, pages)))}>
        Previous
      </Button>
      <span className="quiet">
        {at > pages ? 'No rows are left on this page' : `Page ${String(at)} of ${String(pages)}`}
      </span>
      <Button look="small" isDisabled={at >= pages} onPress={() => onPage(at + 1)}>
        Next
      </Button>
    </nav>
  )
}

/** The same, of a list whose page is in the URL as `page`. */
export function UrlPages({ pages }: { readonly pages: number }) {
  const [{ page }, change] = useUrlState(['page'])
  return (
    <Pages
      at={Math.max(1, Number(page) || 1)}
      pages={pages}
      onPage={(next) => change({ page: String(next) })}
    />
  )
}
