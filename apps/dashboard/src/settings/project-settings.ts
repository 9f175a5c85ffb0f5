import { useQuery } from '@tanstack/react-query'
import { client } from '../ground/client.js'
import { useScope } from '../ground/scope.js'

/** The settings of the present project. Two cards of a page share them. */
export function useProjectSettings() {
  const { organizationSlug: organization, projectSlug: project } = useScope()
  return useQuery({
    queryKey: ['project-settings', organization, project],
    queryFn: ({ signal }) => client.call('showProjectSettings', { organization, project }, { signal }),
    refetchOnWindowFocus: false,
  })
}
