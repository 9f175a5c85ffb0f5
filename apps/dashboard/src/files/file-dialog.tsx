import { useQuery } from '@tanstack/react-query'
import { size } from '../ground/amounts.js'
import { client } from '../ground/client.js'
import { fileAddress } from '../ground/download-address.js'
import { useScope } from '../ground/scope.js'
import { utcMinute } from '../ground/time.js'
import { Button } from '../parts/button.js'
import { CopyButton } from '../parts/copy-button.js'
import { Dialog } from '../parts/dialog.js'
import { Loaded } from '../parts/loaded.js'

/** Everything that is known of a file. */
export function FileDialog({ id: file_id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const { organizationSlug: organization, projectSlug: project, refused } = useScope()
  const file = useQuery({
    queryKey: ['files', organization, project, file_id],
    queryFn: ({ signal }) => client.call('showFile', { organization, project, file_id }, { signal }),
  })
  return (
    <Dialog title="File" onClose={onClose}>
      <Loaded query={file}>
        {({ id, name, kind, size: bytes, sha256, attributes, created_at, ...rest }) => (
          <>
            <dl className="facts">
              <dt>Id</dt>
              <dd>
                <code>{id}</code>
                <CopyButton text={id} of="the id" />
              </dd>
              <dt>Kind</dt>
              <dd>{kind}</dd>
              <dt>Name</dt>
              <dd>{name ?? 'not said'}</dd>
              <dt>Size</dt>
              <dd>
                {size(bytes)} ({bytes} bytes)
              </dd>
              <dt>Uploaded</dt>
              <dd>{utcMinute(created_at)}</dd>
              <dt>SHA-256</dt>
              <dd>
                <code>{sha256}</code>
                <CopyButton text={sha256} of="the SHA-256" />
              </dd>
              {rest.gnu_build_id !== null && (
                <>
                  <dt>Build id</dt>
                  <dd>
                    <code>{rest.gnu_build_id}</code>
                    <CopyButton text={rest.gnu_build_id} of="the build id" />
                  </dd>
                </>
              )}
              {rest.reason !== null && (
                <>
                  <dt>Reason</dt>
                  <dd>{rest.reason}</dd>
                </>
              )}
            </dl>
            {Object.keys(attributes).length > 0 && (
              <details>
                <summary>What came with it</summary>
                <div className="command">
                  <pre>{JSON.stringify(attributes, undefined, 2)}</pre>
                </div>
              </details>
            )}
          </>
        )}
      </Loaded>
      <div className="actions">
        {file.data && !refused('file:download') && (
          <a
            className="button"
            href={fileAddress(organization, project, file_id)}
            download={file.data.name ?? true}
          >
            Download
          </a>
        )}
        <Button look="primary" autoFocus onPress={onClose}>
          Close
        </Button>
      </div>
    </Dialog>
  )
}
