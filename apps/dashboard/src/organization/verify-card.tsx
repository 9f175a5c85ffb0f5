import { useEffect, useState } from 'react'
import { count } from '../ground/amounts.js'
import { client } from '../ground/client.js'
import { utcMinute } from '../ground/time.js'
import { Button } from '../parts/button.js'
import { Command } from '../parts/command.js'
import { CopyButton } from '../parts/copy-button.js'
import { Card } from '../parts/page.js'
import { Problem } from '../parts/problem.js'
import { verifyChain, type Verified } from './verify-chain.js'

const FAULTS = {
  missing: 'is missing: rows were removed here, or others were put in.',
  changed: 'was changed: its content is not what its hash was made of.',
  unlinked: 'does not follow the row before it, which was changed together with its hash.',
  beyond: 'is behind the end of the chain.',
} as const

/** Reads the whole chain and computes every hash in this browser: the server is not asked whether its rows are right. */
export function VerifyCard({
  organization,
  onClose,
}: {
  readonly organization: string
  readonly onClose: () => void
}) {
  const [verified, setVerified] = useState<Verified>()
  const [isDone, setDone] = useState(false)
  const [error, setError] = useState<unknown>()
  useEffect(() => {
    const ending = new AbortController()
    const { signal } = ending
    const run = async () => {
      try {
        setVerified(
          await verifyChain(client.stream('exportAuditEntries', { organization }, { signal }), (progress) => {
            if (!signal.aborted) setVerified(progress)
          }),
        )
        setDone(true)
      } catch (caught) {
        if (!signal.aborted) setError(caught)
      }
    }
    void run()
    return () => ending.abort()
  }, [organization])
  return (
    <Card
      title="Chain"
      about="Every row is read and its hash is computed in this browser. Only missing rows at the end do not show: compare the last hash with one that was kept elsewhere."
    >
      <div role="status">{verified && <Outcome verified={verified} isDone={isDone} />}</div>
      <Problem error={error} />
      {isDone && (
        <Command
          text={`bearing --org ${organization} audit-log export --output audit.ndjson && bearing audit-log verify audit.ndjson`}
        />
      )}
      <div>
        <Button onPress={onClose}>{isDone ? 'Close' : 'Cancel'}</Button>
      </div>
    </Card>
  )
}

function Outcome({ verified, isDone }: { readonly verified: Verified; readonly isDone: boolean }) {
  const { end, unchained, fault, brokenAt } = verified
  const length = count(end.length)
  if (fault)
    return (
      <div className="notice bad">
        <p>
          <strong>The chain is broken.</strong> Row {count(fault.sequence)} {FAULTS[fault.fault]} The {length}{' '}
          rows before it are as they were written.
        </p>
        {brokenAt && (
          <p className="meta">
            <span>
              {fault.fault === 'missing' ? 'The next row there is' : 'It is'} <code>{brokenAt.action}</code>{' '}
              of {utcMinute(brokenAt.at)}, id <code>{brokenAt.id}</code>
            </span>
            <CopyButton text={brokenAt.id} of="the id of the row" />
          </p>
        )}
      </div>
    )
  if (!isDone) return <p>Verified up to row {length} in this browser …</p>
  return (
    <div className="notice good">
      <p>
        <strong>The chain is intact.</strong> Verified up to row {length} in this browser.
        {unchained > 0 && ` ${count(unchained)} rows are older than the chain.`}
      </p>
      {end.hash !== null && (
        <p className="meta">
          <span>
            Last hash <code>{end.hash}</code>
          </span>
          <CopyButton text={end.hash} of="the last hash" />
        </p>
      )}
    </div>
  )
}
