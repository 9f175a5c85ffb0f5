import { useEffect, useRef, type ReactNode } from 'react'

interface Props {
  readonly title: string
  readonly about?: ReactNode
  /** The main control. */
  readonly action?: ReactNode
  /** As wide as the window: for maps. */
  readonly isWide?: boolean
  readonly children: ReactNode
}

/** Set after the first page: from then on a new page takes the focus, so that screen readers say its title. */
let hasNavigated = false

/** A page of the dashboard: title, what it is about, and its content. */
export function Page({ title, about, action, isWide = false, children }: Props) {
  const heading = useHeading(title)
  return (
    <div className={isWide ? 'page wide' : 'page'}>
      <header>
        <div>
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {about !== undefined && <p className="quiet">{about}</p>}
        </div>
        {action !== undefined && <div>{action}</div>}
      </header>
      {children}
    </div>
  )
}

/** Sets the title of the document and moves the focus to the heading. */
export function useHeading(title: string) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · Bearing`
  }, [title])
  useEffect(() => {
    if (hasNavigated) heading.current?.focus()
    hasNavigated = true
  }, [])
  return heading
}

/** A part of a page. */
export function Card({
  title,
  about,
  state,
  children,
}: {
  readonly title: string
  readonly about?: ReactNode
  /** Beside the title: a badge. */
  readonly state?: ReactNode
  readonly children: ReactNode
}) {
  return (
    <section className="card">
      <header>
        <div className="row spread">
          <h2>{title}</h2>
          {state}
        </div>
        {about !== undefined && <p className="quiet">{about}</p>}
      </header>
      {children}
    </section>
  )
}

/** The shape of a page that is loading. */
export function Skeleton({ lines = 4 }: { readonly lines?: number }) {
  return (
    <div className="skeleton" role="status">
      <span className="visually-hidden">Loading</span>
      {Array.from({ length: lines }, (_, line) => (
        <i key={line} />
      ))}
    </div>
  )
}
