import { useQuery } from '@tanstack/react-query'
import { makeCall, listing } from '../ground/calling.js'
import { projectsOf } from '../ground/queries.js'
import { useScope } from '../ground/scope.js'
import { useAction } from '../ground/use-action.js'
import { PermittedButton } from '../parts/button.js'
import { ConfirmButton } from '../parts/confirm.js'
import { Loaded } from '../parts/loaded.js'
import { Card } from '../parts/page.js'
import { Problem } from '../parts/problem.js'
import { Time } from '../parts/time.js'

/** The most requests that are listed, the oldest first. */
const SHOWN = 50
const LOOK_MS = 30_000

/** Teams of partners that ask to belong to the organization. */
export function PartnerLinksCard() {
  const { organizationSlug: organization, refused } = useScope()
  const queryKey = ['partner-links', organization]
  const links = useQuery({
    ...listing(queryKey, 'listPartnerLinks', { organization, per_page: SHOWN }),
    refetchInterval: LOOK_MS,
    enabled: !refused('partner-link:manage'),
  })
  const projects = useQuery(projectsOf(organization)).data
  const project = projects?.find(({ slug }) => slug === 'default') ?? projects?.[0]
  const refuse = useAction((partner_link_id: string) =>
    makeCall('refusePartnerLink', { organization, partner_link_id }, queryKey),
  )
  return (
    <Card
      title="Teams of partners"
      about="Teams in the console of a partner that ask to be linked. A team gets no access before an admin confirms it."
    >
      <Loaded query={links} lines={1}>
        {(list) =>
          list.length === 0 ? (
            <p className="quiet">No team waits.</p>
          ) : (
            <ul className="stack">
              {list.map((link) => (
                <li key={link.id} className="row spread">
                  <span className="stack-s">
                    <span>
                      <strong>{link.team_name}</strong> of {link.partner}
                    </span>
                    <small>
                      asked by {link.requested_by}, <Time at={link.requested_at} />
                    </small>
                  </span>
                  <span className="row">
                    <ConfirmButton
                      look="small primary"
                      permission="partner-link:manage"
                      text="Confirm"
                      label={`Confirm ${link.team_name}`}
                      title={`Link ${link.team_name}?`}
                      verb="Link the team"
                      onConfirm={() => {
                        const joins = project && { join_project_id: project.id }
                        const input = { organization, partner_link_id: link.id, ...joins }
                        return makeCall('confirmPartnerLink', input, queryKey)
                      }}
                    >
                      <p>
                        Every person of this team at {link.partner} becomes a member at their next sign-in,
                        beginning with <strong>{link.requested_by}</strong>
                        {project ? `, and sees the devices of the project ${project.name}` : ''}.
                      </p>
                    </ConfirmButton>
                    <PermittedButton
                      permission="partner-link:manage"
                      look="small danger"
                      aria-label={`Refuse ${link.team_name}`}
                      isPending={refuse.isPending}
                      onPress={() => void refuse.run(link.id)}
                    >
                      Refuse
                    </PermittedButton>
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      <Problem error={refuse.error} />
    </Card>
  )
}
