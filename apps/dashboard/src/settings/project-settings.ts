import { useQuery } from '@tanstack/react-query'
import { calling } from '../ground/calling.js'
import { useScope } from '../ground/scope.js'

/** The settings of the present project. Two cards of a page share them. */
export function useProjectSettings() {
  const { organizationSlug: organization, projectSlug: project } = useScope()
  return useQuery({
    ...calling(['project-settings', organization, project], 'showProjectSettings', { organization, project }),
    refetchOnWindowFocus: false,
  })
}
