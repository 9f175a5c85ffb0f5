import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { deviceAddress } from '../ground/address-of.js'
import { size } from '../ground/amounts.js'
import { client } from '../ground/client.js'
import { fileAddress } from '../ground/download-address.js'
import { KIND_TEXTS } from '../ground/kinds.js'
import { useScope } from '../ground/scope.js'
import { PermittedButton } from '../parts/button.js'
import { Confirm } from '../parts/confirm.js'
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
  const [asked, setAsked] = useState<{ readonly file: StoredFile; readonly for: 'details' | 'delete' }>()
  const close = () => setAsked(undefined)
  const mayDownload = !refused('file:download')
  return (
    <>
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
                <code title={file.gnu_build_id ?? undefined}>
                  {file.gnu_build_id?.slice(0, 16) ?? 'none'}
                </code>
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
            cell: (file) =>
              [file.software_type, file.software_version].filter((part) => part !== null).join(' ') || (
                <span className="quiet">not said</span>
              ),
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
                <PermittedButton
                  look="small"
                  aria-haspopup="dialog"
                  permission="file:read"
                  aria-label={`Details of ${nameOf(file)}`}
                  onPress={() => setAsked({ file, for: 'details' })}
                >
                  Details
                </PermittedButton>
                {!refused('device:delete') && (
                  <PermittedButton
                    look="small danger"
                    aria-haspopup="dialog"
                    permission="device:delete"
                    aria-label={`Delete ${nameOf(file)}`}
                    onPress={() => setAsked({ file, for: 'delete' })}
                  >
                    Delete
                  </PermittedButton>
                )}
              </div>
            ),
          },
        ]}
      />
      {asked?.for === 'details' && <FileDialog id={asked.file.id} onClose={close} />}
      {asked?.for === 'delete' && (
        <Confirm
          title={`Delete ${nameOf(asked.file)}?`}
          verb="Delete"
          onClose={close}
          onConfirm={async () => {
            await client.call('deleteFile', { organization, project, file_id: asked.file.id })
            await rereadFiles()
          }}
        >
          <p>
            {KIND_TEXTS[asked.file.kind]}, {size(asked.file.size)}
            {asked.file.device_serial !== null && `, of ${asked.file.device_serial}`}. This cannot be undone.
          </p>
        </Confirm>
      )}
    </>
  )
}

function nameOf({ name, kind, id }: StoredFile): string {
  return name ?? `${kind}-${id.slice(0, 8)}`
}
