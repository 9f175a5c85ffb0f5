import { Fragment, type ReactNode } from 'react'
import { CopyButton } from './copy-button.js'

/** Facts about something: names at the left, values beside them. Facts that are false, null or undefined are left out. */
export function Facts({ facts }: { readonly facts: Readonly<Record<string, ReactNode>> }) {
  return (
    <dl className="facts">
      {Object.entries(facts)
        .filter(([, value]) => value !== undefined && value !== null && value !== false)
        .map(([name, value]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </Fragment>
        ))}
    </dl>
  )
}

/** A value with a button that copies it. */
export function Copied({
  text,
  of,
  copied = text,
}: {
  readonly text: string
  readonly of: string
  readonly copied?: string
}) {
  return (
    <>
      <code>{text}</code> <CopyButton text={copied} of={`the ${of}`} />
    </>
  )
}
