import { useQuery } from '@tanstack/react-query'
import { size } from '../ground/amounts.js'
import { calling } from '../ground/calling.js'
import { fileAddress } from '../ground/download-address.js'
import { useScope } from '../ground/scope.js'
import { utcMinute } from '../ground/time.js'
import { Button } from '../parts/button.js'
import { Dialog } from '../parts/dialog.js'
import { Copied, Facts } from '../parts/facts.js'
import { Loaded } from '../parts/loaded.js'

/** Everything that is known of a file. */
export function FileDialog({ id: file_id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const { organizationSlug: organization, projectSlug: project, refused } = useScope()
  const file = useQuery(
    calling(['files', organization, project, file_id], 'showFile', { organization, project, file_id }),
  )
  return (
    <Dialog title="File" onClose={onClose}>
      <Loaded query={file}>
        {({ id, name, kind, size: bytes, sha256, attributes, created_at, ...rest }) => (
          <>
            <Facts
              facts={{
                Id: <Copied text={id} of="id" />,
                Kind: kind,
                Name: name ?? 'not said',
                Size: `${size(bytes)} (${String(bytes)} bytes)`,
                Uploaded: utcMinute(created_at),
                'SHA-256': <Copied text={sha256} of="SHA-256" />,
                'Build id': rest.gnu_build_id !== null && <Copied text={rest.gnu_build_id} of="build id" />,
                Reason: rest.reason,
              }}
            />
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
