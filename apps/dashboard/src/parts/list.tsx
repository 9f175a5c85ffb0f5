import type { ReactNode } from 'react'
import { Button } from './button.js'
import { Command } from './command.js'

interface Props {
  /** Name of the list, for screen readers. */
  readonly label: string
  /** Controls that narrow it; their state is in the URL. */
  readonly filters?: ReactNode
  /** Number of entries: screen readers announce it when it changes. */
  readonly count?: string | undefined
  /** Older rows are shown while those of a new filter are read. */
  readonly isStale?: boolean
  /** Leads to the other pages: {@link Pages} or {@link CursorPages}. */
  readonly pages?: ReactNode
  readonly children: ReactNode
}

/** The frame of a list: filters and count above, rows, and the pages below. */
export function List({ label, filters, count, isStale = false, pages, children }: Props) {
  return (
    <section className="stack" aria-label={label} aria-busy={isStale}>
      {(filters !== undefined || count !== undefined) && (
        <div className="row filters">
          {filters}
          <p className="quiet" role="status">
            {count}
          </p>
        </div>
      )}
      {children}
      {pages}
    </section>
  )
}

/** An empty list: what is missing, and the one command that adds it. */
export function Empty({
  title,
  children,
  command,
}: {
  readonly title: string
  readonly children?: ReactNode
  readonly command?: string
}) {
  return (
    <div className="empty">
      <h2>{title}</h2>
      {children !== undefined && <p className="quiet">{children}</p>}
      {command !== undefined && <Command text={command} />}
    </div>
  )
}

/** Page turns of a list with a cursor. */
export interface CursorPage {
  /** Undefined on the first page. */
  readonly onPrevious: (() => void) | undefined
  /** Undefined on the last page. */
  readonly onNext: (() => void) | undefined
}

/** Leads to the pages of a list that continues at a cursor: it does not know how many there are. */
export function CursorPages({ onPrevious, onNext }: CursorPage) {
  if (!onPrevious && !onNext) return null
  return (
    <nav className="row" aria-label="Pages of the list">
      <Button look="small" isDisabled={!onPrevious} onPress={() => onPrevious?.()}>
        Previous
      </Button>
      <Button look="small" isDisabled={!onNext} onPress={() => onNext?.()}>
        Next
      </Button>
    </nav>
  )
}
