import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { count, counted } from '../ground/amounts.js'
import { client } from '../ground/client.js'
import { useScope } from '../ground/scope.js'
import { useAction } from '../ground/use-action.js'
import { Button } from '../parts/button.js'
import { Problem } from '../parts/problem.js'
import { rereadDevices } from './device-queries.js'
import { useListState } from './use-list-state.js'

const POLL_MS = 1_000

/** How far the deletion in the URL is: its page can be left, reloaded and sent to others. */
export function DeletionNotice() {
  const { organizationSlug: organization, projectSlug: project } = useScope()
  const { state, change } = useListState()
  const { deletion: deletion_id } = state
  const deletion = useQuery({
    queryKey: ['device-deletion', organization, project, deletion_id],
    queryFn: ({ signal }) =>
      client.call('showDeviceDeletion', { organization, project, deletion_id }, { signal }),
    enabled: deletion_id !== '',
    refetchInterval: ({ state: { data } }) => (data?.state === 'running' ? POLL_MS : false),
  })
  const hasEnded = deletion.data !== undefined && deletion.data.state !== 'running'
  useEffect(() => {
    if (hasEnded) void rereadDevices()
  }, [hasEnded])
  const stop = useAction(async () => {
    await client.call('stopDeviceDeletion', { organization, project, deletion_id })
    await deletion.refetch()
  })
  if (deletion_id === '') return null
  const { data } = deletion
  return (
    <div className={`notice ${hasEnded ? 'good' : 'attention'}`}>
      <Problem error={deletion.error ?? stop.error} />
      {data && (
        <p role="status">
          {data.state === 'running' && 'Deleting: '}
          {data.state === 'stopped' && 'Stopped: '}
          {count(data.deleted)} of {counted(data.total, 'device')} deleted.
          {data.state === 'done' && data.deleted < data.total && ' The others did not match any more.'}
        </p>
      )}
      <div className="row">
        {data?.state === 'running' && (
          <Button look="small" isPending={stop.isPending} onPress={() => void stop.run()}>
            Stop
          </Button>
        )}
        <Button look="small" onPress={() => change({ deletion: '' })}>
          {hasEnded ? 'Close' : 'Hide'}
        </Button>
      </div>
    </div>
  )
}
