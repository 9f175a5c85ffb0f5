import { useQuery } from '@tanstack/react-query'
import { Link, Navigate } from '@tanstack/react-router'
import { calling, listing } from '../ground/calling.js'
import { client } from '../ground/client.js'
import { organizations, projectsOf } from '../ground/queries.js'
import { queryClient } from '../ground/query-client.js'
import { useScope, type Named } from '../ground/scope.js'
import { useQueryTexts } from '../ground/url-state.js'
import { useAction } from '../ground/use-action.js'
import { useInput } from '../ground/use-input.js'
import { Button } from '../parts/button.js'
import { AsCommand, quoted } from '../parts/command.js'
import { Field } from '../parts/field.js'
import { Form } from '../parts/form.js'
import { Loaded } from '../parts/loaded.js'
import { Card, Page, Skeleton } from '../parts/page.js'
import { Problem } from '../parts/problem.js'
import { Time } from '../parts/time.js'
import { landingOf } from './landing.js'

/** `/app`: the home page of the only organization, or the list of them. */
export function HomePage() {
  const { user } = useScope()
  const known = useQuery(organizations)
  const { organization } = useQueryTexts()
  if (user?.sso?.organization_id === null) return <PartnerRedirect />
  const only =
    known.data?.find(({ slug }) => slug === organization) ??
    (known.data?.length === 1 ? known.data[0] : undefined)
  if (only) return <Organization organization={only} />
  return (
    <Page title="Organizations" about="An organization contains projects. Devices send data to a project.">
      <DeletedOrganizations />
      <Loaded query={known}>
        {(list) =>
          list.length === 0 ? (
            <FirstOrganization />
          ) : (
            <ul className="stack">
              {list.map(({ id, slug, name }) => (
                <li key={id} className="card">
                  <h2>
                    <Link to="/app" search={{ organization: slug }}>
                      {name}
                    </Link>
                  </h2>
                  <code className="quiet">{slug}</code>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Page>
  )
}

/** A partner's user without an organization is asked once to link or create one. */
function PartnerRedirect() {
  return <Navigate to="/partner" replace />
}

/** To the page of the organization; a team of a partner comes for Location (seed §5.4). */
function Organization({ organization }: { readonly organization: Named }) {
  const { user } = useScope()
  const isSso = user?.sso !== undefined
  const projects = useQuery({ ...projectsOf(organization.slug), enabled: isSso })
  const team = useQuery({
    ...calling(['partner-team'], 'showPartnerTeam', {}),
    enabled: isSso,
    retry: false,
  })
  if (isSso && (projects.isPending || team.isPending)) return <Skeleton />
  const [first] = projects.data ?? []
  const to = team.data && first ? landingOf(user, organization, first) : `/app/o/${organization.slug}`
  return <Navigate to={to} replace />
}

function FirstOrganization() {
  const [name, nameInput] = useInput('')
  const action = useAction(async () => {
    await client.call('createOrganization', { name: name.trim() })
    await queryClient.invalidateQueries()
  })
  return (
    <Card
      title="Create your first organization"
      about="You become its admin. Its slug is made from the name."
    >
      <Form error={action.error} onSubmit={() => void action.run()}>
        <Field label="Name" name="name" isRequired {...nameInput} />
        <AsCommand
          bearing={`bearing organizations create ${quoted(name.trim() || 'Acme')}`}
          call={['createOrganization', { name: name.trim() || 'Acme' }]}
        />
        <Problem error={action.error} />
        <div>
          <Button look="primary" type="submit" isPending={action.isPending}>
            Create
          </Button>
        </div>
      </Form>
    </Card>
  )
}

/** Leads the admins of deleted organizations to where they can restore them. */
function DeletedOrganizations() {
  const { user } = useScope()
  const isAdmin = (user?.deleted_grants ?? []).some(({ role }) => role === 'admin')
  const { data } = useQuery({
    ...listing(['deletions'], 'listDeletedOrganizations', {}),
    enabled: isAdmin,
  })
  if (!isAdmin || !data || data.length === 0) return null
  return (
    <div className="notice attention">
      {data.map(({ id, slug, name, state, erase_after }) => (
        <p key={id}>
          <Link to={`/app/o/${slug ?? ''}/admin/deletion`}>{name}</Link>{' '}
          {state === 'erasing' ? (
            'is being erased.'
          ) : (
            <>
              is deleted, and is erased <Time at={erase_after} />.
            </>
          )}
        </p>
      ))}
    </div>
  )
}
