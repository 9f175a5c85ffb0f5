import type { AttributeType } from '@bearing/contracts/management/devices/device-attribute'
import type { DeclaredTypes } from '@bearing/contracts/management/devices/device-csv'
import { UnusableFileError } from '@bearing/files/unusable-file-error'
import { useState } from 'react'
import { count, counted } from '../ground/amounts.js'
import { useScope } from '../ground/scope.js'
import { useAbort } from '../ground/use-abort.js'
import { useAction } from '../ground/use-action.js'
import { Button } from '../parts/button.js'
import { Check } from '../parts/choice.js'
import { AsCommand, quoted } from '../parts/command.js'
import { Dialog } from '../parts/dialog.js'
import { Form } from '../parts/form.js'
import { Problem } from '../parts/problem.js'
import { EMPTY_REPORT, importFile, type ImportReport } from './import-file.js'

interface Props {
  readonly attributes: readonly { readonly name: string; readonly type: AttributeType }[]
  readonly onClose: () => void
}

type Step = 'choose' | 'checked' | 'imported'

/** Imports devices, nicknames and attributes from a CSV file: first a run that changes nothing. */
export function ImportDialog({ attributes, onClose }: Props) {
  const { organizationSlug: organization, projectSlug: project } = useScope()
  const [file, setFile] = useState<File>()
  const [clear, setClear] = useState(false)
  const [step, setStep] = useState<Step>('choose')
  const [report, setReport] = useState<ImportReport>(EMPTY_REPORT)
  const [isDry, setDry] = useState(true)
  const abortRef = useAbort()
  const declared: DeclaredTypes = new Map(attributes.map(({ name, type }) => [name, type]))
  const action = useAction(async (dryRun: boolean) => {
    if (!file) return
    setReport(EMPTY_REPORT)
    setDry(dryRun)
    abortRef.current = new AbortController()
    const { signal } = abortRef.current
    for await (const next of importFile(file, { organization, project, declared, clear, dryRun, signal }))
      setReport(next)
    setStep(dryRun ? 'checked' : 'imported')
  })
  const close = () => {
    abortRef.current.abort()
    onClose()
  }
  const effects = report.created + report.changed
  return (
    <Dialog title="Import devices" isLocked={action.isPending} onClose={close}>
      <Form onSubmit={() => void action.run(step === 'choose')}>
        {step === 'choose' && !action.isPending && (
          <>
            <p className="quiet">
              CSV in UTF-8. The first line names the columns: <code>device_serial</code>, and any of{' '}
              <code>nickname</code>
              {attributes.map(({ name }) => (
                <span key={name}>
                  , <code>attribute:{name}</code>
                </span>
              ))}
              . Devices that are not known are registered.
            </p>
            <label className="field">
              <span className="label">File</span>
              <input
                className="input"
                type="file"
                accept=".csv,text/csv"
                onChange={({ target }) => setFile(target.files?.[0])}
              />
            </label>
            <Check text="Empty cells remove values" isChecked={clear} onChange={setClear} />
          </>
        )}
        {(action.isPending || step !== 'choose') && (
          <Report report={report} isDry={isDry} isPending={action.isPending} size={file?.size ?? 0} />
        )}
        <ImportProblem error={action.error} />
        {step !== 'imported' && (
          <AsCommand
            bearing={`bearing --org ${organization} --project ${project} devices import ${quoted(file?.name ?? 'devices.csv')}${clear ? ' --clear' : ''}${step === 'choose' ? ' --dry-run' : ''}`}
          />
        )}
        <div className="actions">
          {action.isPending ? (
            <Button
              onPress={() =>
                abortRef.current.abort(new UnusableFileError('Stopped. What was imported so far stays.'))
              }
            >
              Stop
            </Button>
          ) : step === 'imported' ? (
            <Button look="primary" autoFocus onPress={close}>
              Close
            </Button>
          ) : (
            <>
              {step === 'checked' && <Button onPress={() => setStep('choose')}>Another file</Button>}
              <Button onPress={close}>Cancel</Button>
              <Button
                look="primary"
                type="submit"
                isDisabled={!file || (step === 'checked' && effects === 0)}
              >
                {step === 'choose' ? 'Check the file' : `Import ${counted(effects, 'device')}`}
              </Button>
            </>
          )}
        </div>
      </Form>
    </Dialog>
  )
}

/** A file that is not as it should be is no failure of the page. */
function ImportProblem({ error }: { readonly error: unknown }) {
  if (!(error instanceof UnusableFileError)) return <Problem error={error} />
  return (
    <div className="notice bad" role="alert">
      <p>{error.message}</p>
    </div>
  )
}

function Report({
  report: { bytes, created, changed, unchanged, failed, lines },
  isDry,
  isPending,
  size,
}: {
  readonly report: ImportReport
  /** True for a report of a dry run. */
  readonly isDry: boolean
  readonly isPending: boolean
  readonly size: number
}) {
  return (
    <>
      {isPending && <progress max={size} value={bytes} aria-label="Read so far" />}
      <p role="status">
        {isDry ? 'Would register' : 'Registered'} {counted(created, 'device')}, {isDry ? 'change' : 'changed'}{' '}
        {count(changed)}; {count(unchanged)} unchanged, {count(failed)} failed.
        {isDry && !isPending && ' Nothing has changed yet.'}
      </p>
      {lines.length > 0 && (
        <details open={failed > 0}>
          <summary>
            {lines.length < created + changed + failed
              ? `The first ${count(lines.length)} lines`
              : 'Line by line'}
          </summary>
          <ol className="lines" tabIndex={0} aria-label="Lines">
            {lines.map(({ line, device_serial, outcome, changes, error }) => (
              <li key={line} value={line}>
                <code>{device_serial}</code>{' '}
                <span className={`badge ${outcome === 'failed' ? 'bad' : ''}`}>{outcome}</span>{' '}
                <small>{error ?? changes.join(', ')}</small>
              </li>
            ))}
          </ol>
        </details>
      )}
    </>
  )
}
