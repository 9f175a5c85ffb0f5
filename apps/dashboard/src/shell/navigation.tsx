import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { projectsOf } from '../ground/queries.js'
import { useScope } from '../ground/scope.js'
import { addressOf, GROUPS, PAGES } from '../pages.js'

/** The pages of the organization and project in the URL that the user may see. */
export function Navigation() {
  const { organization, organizationSlug, project, projectSlug, refused } = useScope()
  const projects = useQuery({ ...projectsOf(organizationSlug), enabled: organizationSlug !== '' })
  if (!organization) return <nav className="nav" aria-label="Pages" />
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
