import { ProblemError } from '@bearing/client/errors'
import type { ReactNode, SyntheticEvent } from 'react'
import { Form as AriaForm } from 'react-aria-components/Form'

interface Props {
  readonly children: ReactNode
  /** The last error: mistakes of the input are shown at the fields of their names. */
  readonly error?: unknown
  readonly onSubmit: () => void
}

export function Form({ children, error, onSubmit }: Props) {
  return (
    <AriaForm
      className="stack"
      validationErrors={mistakesOf(error)}
      onSubmit={(event: SyntheticEvent) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      {children}
    </AriaForm>
  )
}

/** Returns the mistakes of an answer by field: `/accessPoints/0` belongs to the field `accessPoints`. */
function mistakesOf(error: unknown): Record<string, string> {
  if (!(error instanceof ProblemError)) return {}
  return Object.fromEntries(
    error.mistakes.map(({ pointer, detail }) => [pointer.split('/')[1] ?? '', detail]),
  )
}
