import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { organizations, projectsOf } from '../ground/queries.js'
import { useScope } from '../ground/scope.js'
import { addressOf } from '../ground/address-of.js'
import { GROUPS, PAGES } from '../pages.js'

/** The pages of the organization and project in the URL that the user may see. */
export function Navigation() {
  const { organization, organizationSlug, project, projectSlug, refused } = useScope()
  const projects = useQuery({ ...projectsOf(organizationSlug), enabled: organizationSlug !== '' })
  if (!organization) return <Organizations />
  const slug = projectSlug || (projects.data?.[0]?.slug ?? '')
  return (
    <nav className="nav" aria-label="Pages">
      {GROUPS.map(({ id, title }) => {
        const links = PAGES.filter(
          ({ group, path, permission }) =>
            group === id &&
            (!path.includes('$project') || slug !== '') &&
            // Without a project in the URL the first one is linked, whose roles are not looked at before it is opened.
            (permission === undefined || (path.includes('$project') && !project) || !refused(permission)),
        )
        return (
          links.length > 0 && (
            <section key={id}>
              <h2>{title}</h2>
              {links.map(({ path, title: text }) => (
                <Link key={path} to={addressOf(path, organizationSlug, slug)}>
                  {text}
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
