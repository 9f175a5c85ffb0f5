import { Link } from '@tanstack/react-router'
import { addressOf, AUDIT_PAGE } from '../ground/address-of.js'
import { useScope } from '../ground/scope.js'

interface Props {
  /** The object in the audit log: `<noun>:<id>`. */
  readonly target: string
  /** The name of the object, for screen readers. */
  readonly of: string
  readonly text?: string
}

/** Leads to the history of an object. Nothing without permission to read the audit log. */
export function HistoryLink({ target, of, text = 'History' }: Props) {
  const { organizationSlug, refused } = useScope()
  if (refused('audit-log:read')) return null
  return (
    <Link
      to={addressOf(AUDIT_PAGE, organizationSlug, '')}
      search={{ target }}
      aria-label={text === 'History' ? `History of ${of}` : `${text}: history of ${of}`}
    >
      {text}
    </Link>
  )
}
