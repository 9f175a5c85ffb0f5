import { useQuery } from '@tanstack/react-query'
import { client } from '../ground/client.js'
import { installation } from '../ground/queries.js'
import { useScope } from '../ground/scope.js'
import { Command } from '../parts/command.js'

/** What a project without devices shows: one command that makes the first one appear. */
export function NoDevices() {
  const { organizationSlug: organization, projectSlug: project, refused } = useScope()
  const config = useQuery(installation)
  const key = useQuery({
    queryKey: ['project-key', organization, project],
    queryFn: ({ signal }) => client.call('showProjectKey', { organization, project }, { signal }),
    enabled: !refused('project-key:read'),
  })
  return (
    <div className="empty">
      <h2>There is no device yet</h2>
      <p className="quiet">
        This sends five bytes as the device DEMO-1, with the key of this project. The list shows it within
        seconds.
      </p>
      <Command
        text={`curl --header "${config.data?.project_key_header ?? ''}: ${key.data?.api_key ?? '$PROJECT_KEY'}" --header "Content-Type: application/octet-stream" \\\n  --data-binary hello ${config.data?.public_url ?? ''}/api/v0/chunks/DEMO-1`}
      />
    </div>
  )
}
