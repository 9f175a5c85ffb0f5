import { Button } from './button.js'

/** Leads to the other pages of a list. */
export function Pages({
  at,
  pages,
  onPage,
}: {
  readonly at: number
  readonly pages: number
  readonly onPage: (page: number) => void
}) {
  return (
    <nav className="row" aria-label="Pages of the list">
      <Button
        look="small"
        isDisabled={at <= 1}
        onPress={() => {
          onPage(at - 1)
        }}
      >
        Previous
      </Button>
      <span className="quiet">
        Page {at} of {pages}
      </span>
      <Button
        look="small"
        isDisabled={at >= pages}
        onPress={() => {
          onPage(at + 1)
        }}
      >
        Next
      </Button>
    </nav>
  )
}
