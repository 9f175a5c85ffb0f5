import { useQuery } from '@tanstack/react-query'
import { useSampleScan } from '../parts/sample-scan.js'
import { checkTokenCommand, listProjectsCommand, locateCommand } from '../parts/token-samples.js'
import { DeleteCard } from './delete-card.js'
import { installation } from '../ground/queries.js'
import { useScope } from '../ground/scope.js'
import { Command } from '../parts/command.js'
import { Copied, Facts } from '../parts/facts.js'
import { HistoryLink } from '../parts/history-link.js'
import { Card, Page } from '../parts/page.js'
import { RenameCard } from './rename-card.js'

/** `…/settings/general`: names and slugs, which the API and the command line take. */
export function GeneralPage() {
  const { organization, project } = useScope()
  const config = useQuery(installation)
  const scan = useSampleScan()
  if (!organization || !project)
    return <Page title="General">There is no such project, or you have no role in it.</Page>
  const url = config.data?.public_url ?? ''
  const scope = { organization: organization.slug, project: project.slug }
  return (
    <Page title="General" about={`${project.name}, of ${organization.name}`}>
      <Card title="Details" about="Addresses of the API and commands contain the slugs.">
        <Facts
          facts={{
            Organization: organization.name,
            'Organization Slug': <Copied text={organization.slug} of="Organization Slug" />,
            Project: project.name,
            'Project Slug': <Copied text={project.slug} of="Project Slug" />,
            'Address of the API': <Copied text={url} of="Address of the API" />,
            'Organization id': <Copied text={organization.id} of="Organization id" />,
            'Project id': <Copied text={project.id} of="Project id" />,
            History: <ProjectHistory />,
          }}
        />
      </Card>
      <RenameCard key={project.id} organization={organization} project={project} />
      <Card title="Try it" about="With an organization auth token in the variable BEARING_ORG_TOKEN.">
        {scan ? (
          <>
            <h3>Locate two of your access points</h3>
            <Command text={locateCommand(url, scope, scan)} />
          </>
        ) : (
          <>
            <h3>Check the token</h3>
            <p className="quiet">The organization has no two access points near each other to locate yet.</p>
            <Command text={checkTokenCommand(url)} />
          </>
        )}
        <h3>List the projects</h3>
        <p className="quiet">The token needs the permission project:list.</p>
        <Command text={listProjectsCommand(url, organization.slug)} />
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
