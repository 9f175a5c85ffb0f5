import { Fragment, type ReactNode } from 'react'
import { CopyButton } from './copy-button.js'

export interface Fact {
  readonly name: string
  /** Undefined and null: the fact is left out. */
  readonly value: ReactNode
  /** The text that its button copies; the value is then shown as code. */
  readonly copied?: string
}

/** Facts about something: names at the left, values beside them. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl className="facts">
      {facts
        .filter(({ value }) => value !== undefined && value !== null)
        .map(({ name, value, copied }) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>
              {copied === undefined ? value : <code>{value}</code>}
              {copied !== undefined && <CopyButton text={copied} of={`the ${name}`} />}
            </dd>
          </Fragment>
        ))}
    </dl>
  )
}
