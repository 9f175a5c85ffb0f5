import { useQuery } from '@tanstack/react-query'
import { installation } from '../ground/queries.js'
import { useScope, type Named } from '../ground/scope.js'
import { Command } from '../parts/command.js'
import { CopyButton } from '../parts/copy-button.js'
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
        <dl className="facts">
          <Fact name="Organization" text={organization.name} />
          <Slugs name="Organization Slug" of={organization} />
          <Fact name="Project" text={project.name} />
          <Slugs name="Project Slug" of={project} />
          <Fact name="Address of the API" text={url} isCopied />
          <Fact name="Organization id" text={organization.id} isCopied />
          <Fact name="Project id" text={project.id} isCopied />
        </dl>
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
    </Page>
  )
}

function Slugs({ name, of }: { readonly name: string; readonly of: Named }) {
  return <Fact name={name} text={of.slug} isCopied />
}

function Fact({
  name,
  text,
  isCopied = false,
}: {
  readonly name: string
  readonly text: string
  readonly isCopied?: boolean
}) {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        {isCopied ? <code>{text}</code> : text}
        {isCopied && <CopyButton text={text} of={`the ${name}`} />}
      </dd>
    </>
  )
}
