import type { ReactNode } from 'react'
import { Mark } from './icon.js'
import { useHeading } from './page.js'

/** A page without the shell, for people who are not signed in yet. */
export function Front({
  title,
  about,
  children,
}: {
  readonly title: string
  readonly about?: ReactNode
  readonly children: ReactNode
}) {
  const heading = useHeading(title)
  return (
    <div className="front">
      <header>
        <a className="brand" href="/app">
          <Mark /> Bearing
        </a>
      </header>
      <main>
        <div className="stack-s">
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {about !== undefined && <p className="quiet">{about}</p>}
        </div>
        {!window.isSecureContext && (
          <p className="notice bad">
            This page came over plain http, so the browser drops the session. Use the https address of this
            installation.
          </p>
        )}
        {children}
      </main>
    </div>
  )
}
