import { useNavigate } from '@tanstack/react-router'
import type { Named } from '../ground/scope.js'
import { DialogButton } from '../parts/dialog-button.js'
import { Card } from '../parts/page.js'
import { DeleteDialog, type Tenant } from './delete-dialog.js'

interface Props {
  readonly organization: Named
  /** Left out: only the organization can be deleted here. */
  readonly project?: Named
}

/** Deletes the project or the organization. */
export function DeleteCard({ organization, project }: Props) {
  const navigate = useNavigate()
  const deletion = (tenant: Omit<Tenant, 'organization'>) => (close: () => void) => (
    <DeleteDialog
      tenant={{ ...tenant, organization: organization.slug }}
      onClose={close}
      onDeleted={() => {
        close()
        // A deleted organization shows its state at each of its addresses.
        void navigate({ to: `/app/o/${organization.slug}/admin/deletion` })
      }}
    />
  )
  return (
    <Card
      title="Delete"
      about="Everything stops within a second, and can be restored for some days. Then all data is erased."
    >
      <div className="row">
        {project && (
          <DialogButton
            look="danger"
            permission="project:delete"
            dialog={deletion({ ...project, kind: 'project' })}
          >
            Delete the project …
          </DialogButton>
        )}
        <DialogButton
          look="danger"
          permission="organization:delete"
          dialog={deletion({ ...organization, kind: 'organization' })}
        >
          Delete the organization …
        </DialogButton>
      </div>
    </Card>
  )
}
