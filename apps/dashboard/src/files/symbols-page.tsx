import { ProblemError } from '@bearing/client/errors'
import { GnuBuildId } from '@bearing/contracts/management/data/file'
import { useQuery } from '@tanstack/react-query'
import { counted } from '../ground/amounts.js'
import { client } from '../ground/client.js'
import { useScope } from '../ground/scope.js'
import { useUrlState } from '../ground/url-state.js'
import { AddButton } from '../parts/add-button.js'
import { Empty } from '../parts/list.js'
import { Loaded } from '../parts/loaded.js'
import { Page } from '../parts/page.js'
import { UrlPages } from '../parts/pages.js'
import { SlowField } from '../parts/slow-field.js'
import { CoverageCard } from './coverage-card.js'
import { filesOf, rereadFiles } from './file-queries.js'
import { FileTable } from './file-table.js'
import { UploadDialog } from './upload-dialog.js'

/** `…/symbols`: symbol files, and the coredumps that lack them. */
export function SymbolsPage() {
  const { organizationSlug: organization, projectSlug: project } = useScope()
  const [{ build_id, version, page }, change] = useUrlState(['build_id', 'version', 'page'])
  const selection = { kind: 'symbols', device: '', version, page }
  const symbols = useQuery(filesOf(organization, project, selection))
  return (
    <Page
      title="Symbols"
      about="Debuggers read a coredump with the symbols of its build. Upload them from CI."
      action={
        <AddButton
          permission="symbols:upload"
          dialog={(close) => <UploadDialog kinds={['symbols']} onClose={close} />}
          onClosed={rereadFiles}
        >
          Upload
        </AddButton>
      }
    >
      <CoverageCard />
      <div className="row filters">
        <SlowField
          label="Build id"
          type="search"
          placeholder="All of it, in hexadecimal"
          value={build_id}
          onChange={(text) => change({ build_id: text.trim(), page: '' })}
        />
        <SlowField
          label="Software version"
          type="search"
          value={version}
          onChange={(text) => change({ version: text.trim(), page: '' })}
        />
        {symbols.data && build_id === '' && (
          <p className="quiet" role="status">
            {counted(symbols.data.paging.total_count, 'symbol file')}
          </p>
        )}
      </div>
      {build_id !== '' ? (
        <BuildIdResult buildId={build_id} />
      ) : (
        <Loaded query={symbols}>
          {({ data, paging }) => (
            <>
              {data.length > 0 && <FileTable files={data} areSymbols />}
              {paging.total_count === 0 && version !== '' && (
                <p className="empty">No symbols have this version.</p>
              )}
              {paging.total_count === 0 && version === '' && (
                <Empty
                  title="No symbols yet"
                  command={`bearing --org ${organization} --project ${project} symbols upload build/`}
                >
                  In CI, with an organization auth token that may upload symbols:
                </Empty>
              )}
              <UrlPages pages={paging.page_count} />
            </>
          )}
        </Loaded>
      )}
    </Page>
  )
}

/** Says whether there are symbols with a build id, as the tools of CI ask. */
function BuildIdResult({ buildId }: { readonly buildId: string }) {
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
