import type { CallOutput } from '@bearing/client/call-types'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { counted, size } from '../ground/amounts.js'
import { client } from '../ground/client.js'
import { useScope } from '../ground/scope.js'
import { useAction } from '../ground/use-action.js'
import { useInput } from '../ground/use-input.js'
import { Button } from '../parts/button.js'
import { AsCommand } from '../parts/command.js'
import { Dialog } from '../parts/dialog.js'
import { FormActions } from '../parts/form-actions.js'
import { Form } from '../parts/form.js'
import { Loaded } from '../parts/loaded.js'
import { TypedField } from '../parts/typed-field.js'

type Deleted = CallOutput<'deleteDevice'>

interface Props {
  readonly serial: string
  readonly onClose: (isDeleted: boolean) => void
}

/** Deletes a device: says before what there is of it, and afterwards what was deleted and that nothing is left. */
export function DeleteDeviceDialog({ serial: device_serial, onClose }: Props) {
  const { organizationSlug: organization, projectSlug: project } = useScope()
  const [typed, typedInput] = useInput('')
  const [deleted, setDeleted] = useState<Deleted>()
  const address = { organization, project, device_serial }
  const counts = useQuery({
    queryKey: ['device-counts', organization, project, device_serial],
    queryFn: async ({ signal }) => {
      const one = { ...address, per_page: 1 }
      const [chunks, files, positions] = await Promise.all([
        client.call('listChunks', one, { signal }),
        client.call('listFiles', one, { signal }),
        client.call('listDevicePositions', one, { signal }),
      ])
      return [chunks, files, positions].map(({ paging }) => paging.total_count)
    },
    staleTime: 0,
    gcTime: 0,
  })
  const action = useAction(async () => {
    setDeleted(await client.call('deleteDevice', address))
  })
  return (
    <Dialog
      title={deleted ? `${device_serial} is deleted` : `Delete ${device_serial}?`}
      isLocked={action.isPending}
      onClose={() => onClose(deleted !== undefined)}
    >
      {deleted ? (
        <Receipt deleted={deleted} onClose={() => onClose(true)} />
      ) : (
        <Form onSubmit={() => void action.run()}>
          <Loaded query={counts} lines={1}>
            {([chunks = 0, files = 0, positions = 0]) => (
              <p>
                Stored of it: <strong>{counted(chunks, 'chunk')}</strong>,{' '}
                <strong>{counted(files, 'file')}</strong> and{' '}
                <strong>{counted(positions, 'position')}</strong>. All of this is deleted, and data that is on
                its way.
              </p>
            )}
          </Loaded>
          <p>
            <strong>This cannot be undone.</strong> If the device sends again, it appears as a new one.
          </p>
          <TypedField word={device_serial} {...typedInput} />
          <AsCommand
            bearing={`bearing --org ${organization} --project ${project} devices delete ${device_serial} --confirm ${device_serial}`}
            call={['deleteDevice', address]}
          />
          <FormActions
            action={action}
            look="danger primary"
            isDisabled={typed.trim() !== device_serial}
            onCancel={() => onClose(false)}
          >
            Delete
          </FormActions>
        </Form>
      )}
    </Dialog>
  )
}

function Receipt({
  deleted: { deleted, left },
  onClose,
}: {
  readonly deleted: Deleted
  readonly onClose: () => void
}) {
  const rest = left.devices + left.chunks + left.files + left.dead_letters + left.positions
  return (
    <>
      <p role="status">
        Deleted: {counted(deleted.chunks, 'chunk')} of {size(deleted.bytes)}, {counted(deleted.files, 'file')}
        , {counted(deleted.positions, 'position')} and {counted(deleted.dead_letters, 'dead letter')}. Counted
        again afterwards: {rest === 0 ? 'nothing is left' : `${String(rest)} are left`}.
      </p>
      <div className="actions">
        <Button look="primary" autoFocus onPress={onClose}>
          Close
        </Button>
      </div>
    </>
  )
}
