import { useQuery } from '@tanstack/react-query'
import { count, counted } from '../ground/amounts.js'
import { calling } from '../ground/calling.js'
import { client } from '../ground/client.js'
import { useScope } from '../ground/scope.js'
import { useAction } from '../ground/use-action.js'
import { useInput } from '../ground/use-input.js'
import { Button } from '../parts/button.js'
import { AsCommand } from '../parts/command.js'
import { Dialog } from '../parts/dialog.js'
import { Form } from '../parts/form.js'
import { Loaded } from '../parts/loaded.js'
import { Problem } from '../parts/problem.js'
import { TypedField } from '../parts/typed-field.js'
import { filterOf, flagsOf } from './device-filter.js'
import { useListState } from './use-list-state.js'

/** Deletes all devices that a filter selects: the server counts them first, and deletes no more than it has counted. */
export function DeleteMatchingDialog({ onClose }: { readonly onClose: () => void }) {
  const { organizationSlug: organization, projectSlug: project } = useScope()
  const { state, change } = useListState()
  const [typed, typedInput] = useInput('')
  const filter = filterOf(state)
  const preview = useQuery({
    ...calling(['device-deletion-preview', organization, project, filter], 'previewDeviceDeletion', {
      organization,
      project,
      ...filter,
    }),
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  const action = useAction(async () => {
    if (!preview.data) return
    const { token } = preview.data
    const { id } = await client.call('deleteDevices', { organization, project, ...filter, token })
    onClose()
    change({ deletion: id })
  })
  const flags = flagsOf(state)
  const address = `bearing --org ${organization} --project ${project} devices delete${flags ?? ''}`
  return (
    <Dialog title="Delete all devices that match" isLocked={action.isPending} onClose={onClose}>
      <Loaded query={preview}>
        {({ count: total, devices }) => (
          <Form error={action.error} onSubmit={() => void action.run()}>
            <p>
              <strong>{counted(total, 'device')}</strong> {total === 1 ? 'matches' : 'match'} the filter
              {flags !== undefined && <code>{flags}</code>}. Chunks, files, positions, nicknames and
              attributes are deleted too. <strong>This cannot be undone.</strong>
            </p>
            {devices.length > 0 && (
              <p>
                <code>{devices.map(({ device_serial }) => device_serial).join(', ')}</code>
                {total > devices.length && ` and ${count(total - devices.length)} more`}
              </p>
            )}
            <p className="quiet">
              It runs in the background and can be stopped. A device that sends data before its turn, and so
              does not match any more, is kept.
            </p>
            <TypedField word={String(total)} {...typedInput} />
            <AsCommand
              {...(flags !== undefined && { bearing: `${address} --dry-run\n${address} --yes` })}
              call={['previewDeviceDeletion', { organization, project, ...filter }]}
            />
            <Problem error={action.error} />
            <div className="actions">
              {action.error !== undefined && (
                <Button
                  onPress={() => {
                    action.reset()
                    void preview.refetch()
                  }}
                >
                  Count again
                </Button>
              )}
              <Button isDisabled={action.isPending} onPress={onClose}>
                Cancel
              </Button>
              <Button
                look="danger primary"
                type="submit"
                isPending={action.isPending}
                isDisabled={total === 0 || typed.trim() !== String(total)}
              >
                Delete {counted(total, 'device')}
              </Button>
            </div>
          </Form>
        )}
      </Loaded>
      {!preview.data && (
        <div className="actions">
          <Button onPress={onClose}>Cancel</Button>
        </div>
      )}
    </Dialog>
  )
}
