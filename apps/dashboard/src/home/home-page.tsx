import { useQuery } from '@tanstack/react-query'
import { Link, Navigate } from '@tanstack/react-router'
import { useState } from 'react'
import { client } from '../ground/client.js'
import { organizations, projectsOf } from '../ground/queries.js'
import { queryClient } from '../ground/query-client.js'
import { useScope } from '../ground/scope.js'
import { useQueryTexts } from '../ground/url-state.js'
import { useAction } from '../ground/use-action.js'
import { addressOf } from '../ground/address-of.js'
import { Button } from '../parts/button.js'
import { Field } from '../parts/field.js'
import { Form } from '../parts/form.js'
import { Loaded } from '../parts/loaded.js'
import { Card, Page } from '../parts/page.js'
import { Problem } from '../parts/problem.js'

/** `/app`: straight into the only organization, or the list of them. */
export function HomePage() {
  const { user } = useScope()
  const known = useQuery(organizations)
  const { organization } = useQueryTexts()
  if (user?.sso?.organization_id === null) return <PartnerRedirect />
  const only =
    known.data?.find(({ slug }) => slug === organization) ??
    (known.data?.length === 1 ? known.data[0] : undefined)
  if (only) return <Organization slug={only.slug} />
  return (
    <Page title="Organizations" about="An organization contains projects. Devices send data to a project.">
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

const LANDING = '/o/$organization/p/$project/settings/general'

function Organization({ slug }: { readonly slug: string }) {
  const projects = useQuery(projectsOf(slug))
  const [first, ...others] = projects.data ?? []
  if (first && others.length === 0) return <Navigate to={addressOf(LANDING, slug, first.slug)} replace />
  return (
    <Page title="Projects" about="Devices send data to a project, with its project key.">
      <Loaded query={projects}>
        {(list) => (
          <>
            {list.length === 0 && <p className="empty">There is no project yet that you may see.</p>}
            <ul className="stack">
              {list.map((project) => (
                <li key={project.id} className="card">
                  <h2>
                    <Link to={addressOf(LANDING, slug, project.slug)}>{project.name}</Link>
                  </h2>
                  <code className="quiet">{project.slug}</code>
                </li>
              ))}
            </ul>
          </>
        )}
      </Loaded>
    </Page>
  )
}

function FirstOrganization() {
  const [name, setName] = useState('')
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
        <Field label="Name" name="name" isRequired value={name} onChange={setName} />
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
