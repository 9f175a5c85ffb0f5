import { useQuery } from '@tanstack/react-query'
import { counted } from '../ground/amounts.js'
import { KIND_TEXTS, KINDS } from '../ground/kinds.js'
import { useScope } from '../ground/scope.js'
import { useUrlState } from '../ground/url-state.js'
import { AddButton } from '../parts/add-button.js'
import { Empty } from '../parts/list.js'
import { Loaded } from '../parts/loaded.js'
import { Page } from '../parts/page.js'
import { UrlPages } from '../parts/pages.js'
import { Select } from '../parts/select.js'
import { SlowField } from '../parts/slow-field.js'
import { filesOf, rereadFiles } from './file-queries.js'
import { FileTable } from './file-table.js'
import { UploadDialog } from './upload-dialog.js'

/** `…/files`: coredumps, bug reports, recordings and symbols of the project. */
export function FilesPage() {
  const { organizationSlug: organization, projectSlug: project } = useScope()
  const [state, change] = useUrlState(['kind', 'device', 'version', 'page'])
  const files = useQuery(filesOf(organization, project, state))
  const isFiltered = state.kind + state.device + state.version !== ''
  return (
    <Page
      title="Files"
      about="What devices and people have uploaded, newest first. Files may contain memory of a device."
      action={
        <AddButton
          permission="file:upload"
          dialog={(close) => (
            <UploadDialog kinds={KINDS.filter((kind) => kind !== 'symbols')} onClose={close} />
          )}
          onClosed={rereadFiles}
        >
          Upload
        </AddButton>
      }
    >
      <div className="row filters">
        <Select
          label="Kind"
          value={state.kind}
          options={[{ id: '', text: 'All kinds' }, ...KINDS.map((id) => ({ id, text: KIND_TEXTS[id] }))]}
          onChange={(kind) => change({ kind, page: '' })}
        />
        <SlowField
          label="Serial number"
          type="search"
          value={state.device}
          onChange={(device) => change({ device: device.trim(), page: '' })}
        />
        <SlowField
          label="Software version"
          type="search"
          value={state.version}
          onChange={(version) => change({ version: version.trim(), page: '' })}
        />
        {files.data && (
          <p className="quiet" role="status">
            {counted(files.data.paging.total_count, 'file')}
          </p>
        )}
      </div>
      <Loaded query={files}>
        {({ data, paging }) => (
          <>
            {data.length > 0 && <FileTable files={data} />}
            {paging.total_count === 0 && isFiltered && <p className="empty">No file matches.</p>}
            {paging.total_count === 0 && !isFiltered && <NoFiles />}
            <UrlPages pages={paging.page_count} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

function NoFiles() {
  const { organizationSlug, projectSlug } = useScope()
  return (
    <Empty
      title="No files yet"
      command={`bearing --org ${organizationSlug} --project ${projectSlug} coredumps upload core.elf --device DEMO-1`}
    >
      Devices upload coredumps with the project key. By hand:
    </Empty>
  )
}
