import type { Deletion } from './deletion.js'

type Part = Deletion['parts'][number]

const NAMES: Record<Part['part'], string> = {
  location: 'Positions and access points',
  management: 'Devices, their data and files',
  identity: 'Members, tokens and keys',
}

/** How far an erasure is, part by part. */
export function Progress({ deletion: { parts } }: { readonly deletion: Deletion }) {
  return (
    <div className="stack-s">
      <p role="status">
        <span className="badge attention">erasing</span> It cannot be restored any more.
      </p>
      <dl className="facts">
        {Object.entries(NAMES).map(([part, name]) => (
          <PartProgress key={part} name={name} part={parts.find((candidate) => candidate.part === part)} />
        ))}
      </dl>
    </div>
  )
}

function PartProgress({ name, part }: { readonly name: string; readonly part: Part | undefined }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        {textOf(part)}
        {typeof part?.error === 'string' && <span className="badge attention">retried: {part.error}</span>}
      </dd>
    </>
  )
}

function textOf(part: Part | undefined): string {
  if (typeof part?.started_at !== 'string') return 'waits'
  const erased = `${String(part.erased)} erased`
  if (part.finished_at !== null) return `${erased}, nothing left`
  return part.remaining === null ? erased : `${erased}, at least ${String(part.remaining)} left`
}
