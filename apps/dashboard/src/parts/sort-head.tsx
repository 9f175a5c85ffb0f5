interface Props {
  readonly title: string
  /** Undefined: the rows are in another order. */
  readonly order: 'ascending' | 'descending' | undefined
  readonly className?: string | undefined
  readonly onSort: () => void
}

const ARROWS = { ascending: '↑', descending: '↓' } as const

/** The head of a column that orders the rows. */
export function SortHead({ title, order, className, onSort }: Props) {
  return (
    <th scope="col" className={className} {...(order && { 'aria-sort': order })}>
      <button type="button" className="sort" onClick={onSort}>
        {title} <span aria-hidden="true">{order ? ARROWS[order] : '↕'}</span>
      </button>
    </th>
  )
}
