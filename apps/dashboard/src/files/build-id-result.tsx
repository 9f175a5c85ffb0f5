import { ProblemError } from '@bearing/client/errors'
import { GnuBuildId } from '@bearing/contracts/management/file'
import { useQuery } from '@tanstack/react-query'
import { client } from '../ground/client.js'
import { useScope } from '../ground/scope.js'
import { Loaded } from '../parts/loaded.js'
import { FileTable } from './file-table.js'

/** Says whether there are symbols with a build id, as the tools of CI ask. */
export function BuildIdResult({ buildId }: { readonly buildId: string }) {
  const { organizationSlug: organization, projectSlug: project } = useScope()
  const parsed = GnuBuildId.safeParse(buildId)
  const found = useQuery({
    queryKey: ['files', organization, project, 'build-id', buildId],
    queryFn: async ({ signal }) => {
      try {
        const input = { organization, project, gnu_build_id: buildId }
        return await client.call('findSymbols', input, { signal })
      } catch (error) {
        if (error instanceof ProblemError && error.code === 'symbols_not_found') return null
        throw error
      }
    },
    enabled: parsed.success,
  })
  if (!parsed.success) return <p className="empty">A build id is 2 to 64 bytes in hexadecimal.</p>
  return (
    <Loaded query={found} lines={1}>
      {(file) =>
        file === null ? (
          <p className="empty">
            There are no symbols with this build id. A tool of CI that asks would upload them.
          </p>
        ) : (
          <FileTable files={[file]} areSymbols />
        )
      }
    </Loaded>
  )
}
