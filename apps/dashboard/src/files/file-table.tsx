import { Link } from '@tanstack/react-router'
import { deviceAddress } from '../ground/address-of.js'
import { softwareOf, size } from '../ground/amounts.js'
import { client } from '../ground/client.js'
import { fileAddress } from '../ground/download-address.js'
import { KIND_TEXTS } from '../ground/kinds.js'
import { useScope } from '../ground/scope.js'
import { ConfirmButton } from '../parts/confirm.js'
import { DialogButton } from '../parts/dialog-button.js'
import { Table } from '../parts/table.js'
import { Time } from '../parts/time.js'
import { FileDialog } from './file-dialog.js'
import { rereadFiles, type StoredFile } from './file-queries.js'

interface Props {
  readonly files: readonly StoredFile[]
  /** Symbols come from builds and not from devices. */
  readonly areSymbols?: boolean
}

export function FileTable({ files, areSymbols = false }: Props) {
  const { organizationSlug: organization, projectSlug: project, refused } = useScope()
  const mayDownload = !refused('file:download')
  return (
    <Table
      rows={files}
      idOf={(file) => file.id}
      columns={[
        {
          title: 'File',
          isRowHeader: true,
          cell: (file) => (
            <>
              <div className="stack-s">
                {mayDownload ? (
                  <a href={fileAddress(organization, project, file.id)} download={file.name ?? true}>
                    {nameOf(file)}
                  </a>
                ) : (
                  nameOf(file)
                )}
                {!areSymbols && <small>{KIND_TEXTS[file.kind]}</small>}
              </div>
            </>
          ),
        },
        {
          title: areSymbols ? 'Build id' : 'Device',
          cell: (file) =>
            areSymbols ? (
              <code title={file.gnu_build_id ?? undefined}>{file.gnu_build_id?.slice(0, 16) ?? 'none'}</code>
            ) : file.device_serial === null ? (
              <span className="quiet">not said</span>
            ) : (
              <Link to={deviceAddress(organization, project, file.device_serial)} preload={false}>
                {file.device_serial}
              </Link>
            ),
        },
        {
          title: 'Software',
          cell: (file) => softwareOf(file) || <span className="quiet">not said</span>,
        },
        { title: 'Size', isNumeric: true, cell: (file) => size(file.size) },
        {
          title: 'Uploaded',
          cell: (file) => <Time at={file.created_at} />,
        },
        {
          title: 'Actions',
          isActions: true,
          cell: (file) => (
            <div className="row">
              <DialogButton
                look="small"
                permission="file:read"
                aria-label={`Details of ${nameOf(file)}`}
                dialog={(close) => <FileDialog id={file.id} onClose={close} />}
              >
                Details
              </DialogButton>
              {!refused('device:delete') && (
                <ConfirmButton
                  look="small danger"
                  permission="device:delete"
                  text="Delete"
                  label={`Delete ${nameOf(file)}`}
                  title={`Delete ${nameOf(file)}?`}
                  verb="Delete"
                  onConfirm={async () => {
                    await client.call('deleteFile', { organization, project, file_id: file.id })
                    await rereadFiles()
                  }}
                >
                  <p>
                    {KIND_TEXTS[file.kind]}, {size(file.size)}
                    {file.device_serial !== null && `, of ${file.device_serial}`}. This cannot be undone.
                  </p>
                </ConfirmButton>
              )}
            </div>
          ),
        },
      ]}
    />
  )
}

function nameOf({ name, kind, id }: StoredFile): string {
  return name ?? `${kind}-${id.slice(0, 8)}`
}
