import { setTimeout as sleep } from 'node:timers/promises'
import { ProblemError } from '@bearing/client/errors'
import type { Deletion } from '@bearing/contracts/management/tenancy/deletion'
import type { Cli } from '../session/cli.js'
import { count, moment } from '../ground/output/format.js'
import { startProgress } from '../ground/output/progress.js'

const POLL_MS = 1_000

/** Prints a deletion and the progress of its erasure. */
export function printDeletion({ output }: Cli, deletion: Deletion): void {
  output.record(
    {
      Slug: deletion.slug ?? undefined,
      Name: deletion.name ?? undefined,
      State: deletion.state,
      Deleted: moment(deletion.deleted_at),
      'Credentials stopped': moment(deletion.credentials_stopped_at, 'in a moment'),
      ...(deletion.state === 'deleted'
        ? { 'Erased after': moment(deletion.erase_after) }
        : { 'Erasing since': moment(deletion.erasing_since) }),
    },
    deletion,
  )
  if (output.forPrograms || deletion.parts.length === 0) return
  output.print('')
  output.table(
    deletion.parts,
    {
      Part: 'part',
      Erased: ({ erased }) => count(erased),
      Left: ({ remaining }) => (remaining === null ? 'not counted' : count(remaining)),
      Finished: ({ finished_at }) => moment(finished_at, ''),
      Error: ({ error }) => error ?? '',
    },
    null,
  )
}

export function printDeletions({ output }: Cli, deletions: readonly Deletion[]): void {
  output.table(
    deletions,
    {
      Slug: ({ slug }) => slug ?? '',
      Name: ({ name }) => name ?? '',
      State: 'state',
      Deleted: 'deleted_at',
      'Erased after': ({ erase_after }) => moment(erase_after),
    },
    'Nothing is deleted.',
  )
}

/**
 * Waits until an erasure has ended, with progress.
 *
 * @param ask returns the deletion as it is now
 */
export async function waitForErasure(cli: Cli, ask: () => Promise<Deletion>): Promise<void> {
  let total = 0
  let done = 0
  using progress = startProgress(cli.output, 'Erasing', 100)
  for (;;) {
    const found = await unlessErased(ask)
    if (!found) break
    done = sum(found.parts.map(({ erased }) => erased))
    const left = sum(found.parts.map(({ remaining }) => remaining ?? 0))
    total = Math.max(total, done + left)
    const part = found.parts.find(({ finished_at }) => finished_at === null)
    const note = part?.error ?? `${count(done)} erased, ${count(left)} left`
    progress.update(total === 0 ? 0 : Math.floor((done / total) * 100), note)
    await sleep(POLL_MS, undefined, { signal: cli.terminal.signal })
  }
  cli.output.done(`Erased: ${count(done)} rows, files and messages.`)
}

/** The reply says that nothing is deleted, or that there is no such organization. */
const ERASED = ['deletion_not_found', 'organization_not_found', 'project_not_found']

async function unlessErased(ask: () => Promise<Deletion>): Promise<Deletion | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof ProblemError && ERASED.includes(error.problem.code)) return undefined
    throw error
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
