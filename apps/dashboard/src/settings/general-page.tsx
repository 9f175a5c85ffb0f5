import { useQuery } from '@tanstack/react-query'
import { DeleteCard } from '../deletion/delete-card.js'
import { installation } from '../ground/queries.js'
import { useScope } from '../ground/scope.js'
import { Command } from '../parts/command.js'
import { Facts } from '../parts/facts.js'
import { HistoryLink } from '../parts/history-link.js'
import { Card, Page } from '../parts/page.js'
import { RenameCard } from './rename-card.js'

/** `…/settings/general`: names and slugs, which the API and the command line take. */
export function GeneralPage() {
  const { organization, project } = useScope()
  const config = useQuery(installation)
  if (!organization || !project)
    return <Page title="General">There is no such project, or you have no role in it.</Page>
  const url = config.data?.public_url ?? ''
  const path = `organizations/${organization.slug}/projects/${project.slug}`
  return (
    <Page title="General" about={`${project.name}, of ${organization.name}`}>
      <Card title="Details" about="The slugs stand in every address of the API.">
        <Facts
          facts={[
            { name: 'Organization', value: organization.name },
            { name: 'Organization Slug', value: organization.slug, copied: organization.slug },
            { name: 'Project', value: project.name },
            { name: 'Project Slug', value: project.slug, copied: project.slug },
            { name: 'Address of the API', value: url, copied: url },
            { name: 'Organization id', value: organization.id, copied: organization.id },
            { name: 'Project id', value: project.id, copied: project.id },
            { name: 'History', value: <ProjectHistory /> },
          ]}
        />
      </Card>
      <RenameCard key={project.id} organization={organization} project={project} />
      <Card title="Try it" about="With an organization auth token in the variable BEARING_ORG_TOKEN.">
        <h3>List the projects</h3>
        <Command
          text={`curl --header "Authorization: Bearer $BEARING_ORG_TOKEN" \\\n  ${url}/api/v0/organizations/${organization.slug}/projects`}
        />
        <h3>Ask where two access points are</h3>
        <Command
          text={`curl --header "Authorization: Bearer $BEARING_ORG_TOKEN" --header "Content-Type: application/json" \\\n  --data '{"accessPoints":[{"macAddress":"00:1a:2b:3c:4d:5e","signalStrength":-60},{"macAddress":"00:1a:2b:3c:4d:5f","signalStrength":-70}]}' \\\n  ${url}/v1/${path}/location/wifi`}
        />
      </Card>
      <DeleteCard organization={organization} project={project} />
    </Page>
  )
}

function ProjectHistory() {
  const { organization, project } = useScope()
  if (!organization || !project) return null
  return (
    <>
      <HistoryLink target={`project:${project.id}`} of={project.name} text="Project" />
      <HistoryLink target={`organization:${organization.id}`} of={organization.name} text="Organization" />
    </>
  )
}
