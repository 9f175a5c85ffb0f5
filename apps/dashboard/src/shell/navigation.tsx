import { Link, useMatches } from '@tanstack/react-router'
import { AttentionCount } from '../organization/attention-count.js'
import { Icon } from '../parts/icon.js'
import { PAGES, type DashboardPage } from './pages.js'
import { SECTIONS } from './sections.js'
import { usePlaces, type Place } from './places.js'

const EXACT = { exact: true, includeSearch: false } as const

/** The first level: sections that contain a page which the user may see. */
export function Navigation() {
  const places = usePlaces()
  const current = useCurrentPage()?.section
  return (
    <nav className="nav" aria-label="Pages">
      {SECTIONS.map(({ id, title, icon }) => {
        const first = places.find(({ section }) => section === id)
        return (
          first && (
            <Link
              key={id}
              to={first.to}
              activeOptions={EXACT}
              {...(current === id && { 'aria-current': true as const })}
            >
              <Icon name={icon} />
              <span>{title}</span>
              {id === 'home' && <AttentionCount />}
            </Link>
          )
        )
      })}
    </nav>
  )
}

/** The second level: the pages of the section that is open. Pages under one name share a link, and are listed below it. */
export function SectionTabs() {
  const page = useCurrentPage()
  const places = usePlaces()
  const section = SECTIONS.find(({ id }) => id === page?.section)
  const pages = places.filter((place) => place.section === section?.id)
  if (!page || !section || pages.length < 2) return null
  const isFirstOf = ({ path, under }: Place) =>
    under === undefined || pages.find((other) => other.under === under)?.path === path
  const siblings = page.under === undefined ? [] : pages.filter(({ under }) => under === page.under)
  return (
    <div className="tabs">
      <nav aria-label={section.title}>
        {pages.filter(isFirstOf).map(({ to, title, under }) => (
          <Link
            key={to}
            to={to}
            activeOptions={EXACT}
            {...(under !== undefined && under === page.under && { 'aria-current': true as const })}
          >
            {under ?? title}
          </Link>
        ))}
      </nav>
      {siblings.length > 1 && (
        <nav aria-label={page.under}>
          {siblings.map(({ to, title }) => (
            <Link key={to} to={to} activeOptions={EXACT}>
              {title}
            </Link>
          ))}
        </nav>
      )}
    </div>
  )
}

/** Returns the page of the URL. */
function useCurrentPage(): DashboardPage | undefined {
  const match = useMatches().at(-1) as { readonly fullPath: string } | undefined // of a table that has no types
  return PAGES.find((page) => `/app${page.path}` === match?.fullPath.replace(/\/$/, ''))
}
