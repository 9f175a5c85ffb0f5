import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { AttentionCount } from '../organization/attention-count.js'
import { organizations } from '../ground/queries.js'
import { useScope } from '../ground/scope.js'
import { GROUPS } from './pages.js'
import { usePlaces } from './places.js'

/** The pages of the organization and project in the URL that the user may see. */
export function Navigation() {
  const { organization } = useScope()
  const places = usePlaces()
  if (!organization) return <Organizations />
  return (
    <nav className="nav" aria-label="Pages">
      {GROUPS.map(({ id, title }) => {
        const links = places.filter(({ group }) => group === id)
        return (
          links.length > 0 && (
            <section key={id}>
              {title !== '' && <h2>{title}</h2>}
              {links.map(({ to, title: text }) => (
                <Link key={to} to={to} activeOptions={{ exact: true, includeSearch: false }}>
                  <span>{text}</span>
                  {id === 'home' && <AttentionCount />}
                </Link>
              ))}
            </section>
          )
        )
      })}
    </nav>
  )
}

/** The most organizations that fit beside a page; the rest are on the start page. */
const SHOWN = 12

/** Leads back to an organization from pages that belong to none, such as the account. */
function Organizations() {
  const { data } = useQuery(organizations)
  if (!data || data.length === 0) return <nav className="nav" aria-label="Pages" />
  return (
    <nav className="nav" aria-label="Pages">
      <section>
        <h2>Organizations</h2>
        {data.slice(0, SHOWN).map(({ id, slug, name }) => (
          <Link key={id} to="/app" search={{ organization: slug }} activeOptions={{ includeSearch: true }}>
            {name}
          </Link>
        ))}
      </section>
    </nav>
  )
}
