import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { type Named } from '../ground/scope.js'
import { PermittedButton } from '../parts/button.js'
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
  const [asked, setAsked] = useState<Tenant>()
  const ofOrganization: Tenant = { ...organization, kind: 'organization', organization: organization.slug }
  const ofProject: Tenant | undefined = project && {
    ...project,
    kind: 'project',
    organization: organization.slug,
  }
  return (
    <Card
      title="Delete"
      about="Everything stops within a second, and can be restored for some days. Then all data is erased."
    >
      <div className="row">
        {ofProject && (
          <PermittedButton
            look="danger"
            aria-haspopup="dialog"
            permission="project:delete"
            onPress={() => setAsked(ofProject)}
          >
            Delete the project …
          </PermittedButton>
        )}
        <PermittedButton
          look="danger"
          aria-haspopup="dialog"
          permission="organization:delete"
          onPress={() => setAsked(ofOrganization)}
        >
          Delete the organization …
        </PermittedButton>
      </div>
      {asked && (
        <DeleteDialog
          tenant={asked}
          onClose={() => setAsked(undefined)}
          onDeleted={() => {
            setAsked(undefined)
            // A deleted organization shows its state at each of its addresses.
            void navigate({ to: `/app/o/${organization.slug}/admin/deletion` })
          }}
        />
      )}
    </Card>
  )
}
