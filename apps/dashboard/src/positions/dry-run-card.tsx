import { Facts } from '../parts/facts.js'
import { SKIP_REASONS } from '@bearing/files/access-points/skipped'
import { count } from '../ground/amounts.js'
import { Button, PermittedButton } from '../parts/button.js'
import { Card } from '../parts/page.js'
import type { DryRun } from './dry-run.js'

const FINDS = {
  observations: 'observations: combined to positions',
  positions: 'positions: replace what was known of these access points',
  cells: 'radio cells',
} as const

/** Shows the rows that an import would send, and those that it would leave out. */
export function DryRunCard({
  dryRun: { file, rows, accessPoints, skipped, lines },
  isPending,
  onImport,
  onCancel,
}: {
  readonly dryRun: DryRun
  readonly isPending: boolean
  readonly onImport: () => void
  readonly onCancel: () => void
}) {
  const left = [...skipped.values()].reduce((sum, rows) => sum + rows, 0)
  return (
    <Card title={`Dry run of ${file.name}`} about="Nothing has been sent.">
      <Facts
        facts={{
          Content: FINDS[file.opened.reader.content],
          'To import': (
            <>
              <strong>{count(rows)} rows</strong> of {count(accessPoints)} access points
            </>
          ),
          'Left out': left === 0 ? 'no row' : `${count(left)} ${left === 1 ? 'row' : 'rows'}`,
          ...Object.fromEntries(
            [...skipped].map(([reason, amount]) => [`· ${SKIP_REASONS[reason]}`, count(amount)]),
          ),
        }}
      />
      {lines.length > 0 && (
        <details>
          <summary>
            Rows left out, by line{lines.length < left ? ` (the first ${String(lines.length)})` : ''}
          </summary>
          <ul className="plain-list">
            {lines.map(({ line, reason }, index) => (
              <li key={String(index)}>
                Line {count(line)}: {SKIP_REASONS[reason]}
              </li>
            ))}
          </ul>
        </details>
      )}
      {rows === 0 && <p className="notice attention">The file has no row that can be imported.</p>}
      <div className="row">
        <PermittedButton
          look="primary"
          permission="access-point:import"
          isDisabled={rows === 0}
          isPending={isPending}
          onPress={onImport}
        >
          Import {count(rows)} {rows === 1 ? 'row' : 'rows'}
        </PermittedButton>
        <Button isDisabled={isPending} onPress={onCancel}>
          Cancel
        </Button>
      </div>
    </Card>
  )
}
