import type { CallOutput } from '@bearing/client/call-types'
import { client } from '../ground/client.js'
import { rereadTenants } from '../ground/reread-tenants.js'
import { useAction } from '../ground/use-action.js'
import { useInput } from '../ground/use-input.js'
import { Button } from '../parts/button.js'
import { AsCommand } from '../parts/command.js'
import { DialogButton } from '../parts/dialog-button.js'
import { Facts } from '../parts/facts.js'
import { FormDialog } from '../parts/form-dialog.js'
import { Card } from '../parts/page.js'
import { Problem } from '../parts/problem.js'
import { Time } from '../parts/time.js'
import { TypedField } from '../parts/typed-field.js'
import type { Tenant } from './delete-dialog.js'

type Part = Deletion['parts'][number]

const NAMES: Record<Part['part'], string> = {
  location: 'Positions and access points',
  management: 'Devices, their data and files',
  identity: 'Members, tokens and keys',
}

/** Interval between reads while something changes, in milliseconds. */
const ASK_MS = 2_000

/** Returns the interval between reads of deletions: while credentials stop, or data is erased. */
export function askAgainMs(deletions: readonly Deletion[]): number | false {
  return deletions.some((deletion) => isChanging(deletion)) && ASK_MS
}

function isChanging({ state, credentials_stopped_at }: Deletion): boolean {
  return state === 'erasing' || credentials_stopped_at === null
}

interface Props {
  readonly tenant: Tenant
  readonly deletion: Deletion
  /** The erasure has started. */
  readonly onErase: () => void
}

/** Shows the deleted tenant, the deadline to restore it, and the progress of its erasure. */
export function DeletionState({ tenant, deletion, onErase }: Props) {
  const { id, kind, organization, slug, name } = tenant
  const restore = useAction(async () => {
    if (kind === 'organization') await client.call('restoreOrganization', { organization })
    else await client.call('restoreProject', { organization, project_slug: slug })
    await rereadTenants(kind === 'organization' ? { id, isThere: true } : undefined)
  })
  return (
    <Card title={name} about={<code>{slug}</code>}>
      {deletion.state === 'erasing' ? (
        <Progress deletion={deletion} />
      ) : (
        <>
          <Facts
            facts={{
              Deleted: <Time at={deletion.deleted_at} />,
              Credentials:
                deletion.credentials_stopped_at === null ? (
                  <span className="badge attention">stopping</span>
                ) : (
                  <span className="badge">stopped</span>
                ),
              'Is erased': <Time at={deletion.erase_after} />,
            }}
          />
          <Problem error={restore.error} />
          <div className="row">
            <Button look="primary" isPending={restore.isPending} onPress={() => void restore.run()}>
              Restore
            </Button>
            <DialogButton
              look="danger"
              dialog={(close) => <EraseDialog tenant={tenant} onErase={onErase} onClose={close} />}
            >
              Erase now …
            </DialogButton>
          </div>
        </>
      )}
    </Card>
  )
}

function EraseDialog({
  tenant: { kind, organization, slug, name },
  onErase,
  onClose,
}: {
  readonly tenant: Tenant
  readonly onErase: () => void
  readonly onClose: () => void
}) {
  const [typed, typedInput] = useInput('')
  const action = useAction(async () => {
    if (kind === 'organization') await client.call('eraseOrganization', { organization, slug })
    else await client.call('eraseProject', { organization, project_slug: slug, slug })
    onErase()
    onClose()
  })
  return (
    <FormDialog
      title={`Erase ${name} now?`}
      isAlert
      action={action}
      verb="Erase it now"
      look="danger primary"
      isDisabled={typed.trim() !== slug}
      onClose={onClose}
    >
      <p>
        <strong>This cannot be undone.</strong> All data of the {kind} is erased. Export first what you want
        to keep.
      </p>
      <TypedField word={slug} {...typedInput} />
      <AsCommand
        bearing={
          kind === 'organization'
            ? `bearing organizations erase ${slug} --wait`
            : `bearing --org ${organization} projects erase ${slug} --wait`
        }
        {...(kind === 'organization'
          ? { call: ['eraseOrganization', { organization, slug }] as const }
          : { call: ['eraseProject', { organization, project_slug: slug, slug }] as const })}
      />
    </FormDialog>
  )
}

/** Shows the progress of an erasure, part by part. */
function Progress({ deletion: { parts } }: { readonly deletion: Deletion }) {
  return (
    <div className="stack-s">
      <p role="status">
        <span className="badge attention">erasing</span> It cannot be restored any more.
      </p>
      <Facts
        facts={Object.fromEntries(
          Object.entries(NAMES).map(([of, name]) => [
            name,
            progressText(parts.find(({ part }) => part === of)),
          ]),
        )}
      />
    </div>
  )
}

function progressText(part: Part | undefined) {
  return (
    <>
      {textOf(part)}
      {typeof part?.error === 'string' && <span className="badge attention">retried: {part.error}</span>}
    </>
  )
}

function textOf(part: Part | undefined): string {
  if (typeof part?.started_at !== 'string') return 'waits'
  const erased = `${String(part.erased)} erased`
  if (part.finished_at !== null) return `${erased}, nothing left`
  return part.remaining === null ? erased : `${erased}, at least ${String(part.remaining)} left`
}

export type Deletion = CallOutput<'showOrganizationDeletion'>
