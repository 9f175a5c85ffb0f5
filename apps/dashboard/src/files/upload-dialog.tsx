import type { FileKind } from '@bearing/contracts/management/data/file'
import { useState } from 'react'
import { size } from '../ground/amounts.js'
import { client } from '../ground/client.js'
import { COMMITS, KIND_TEXTS } from '../ground/kinds.js'
import { useScope } from '../ground/scope.js'
import { useAbort } from '../ground/use-abort.js'
import { useAction } from '../ground/use-action.js'
import { useInput } from '../ground/use-input.js'
import { Button } from '../parts/button.js'
import { AsCommand, quoted } from '../parts/command.js'
import { Dialog } from '../parts/dialog.js'
import { Field } from '../parts/field.js'
import { Form } from '../parts/form.js'
import { Problem } from '../parts/problem.js'
import { Select } from '../parts/select.js'
import { putBytes, UnreachableStorageError } from './upload-file.js'

const NOTHING = { device_serial: '', hardware_version: '', software_type: '', software_version: '' }
type Facts = typeof NOTHING

const LABELS: Readonly<Record<keyof Facts, string>> = {
  device_serial: 'Serial number of the device',
  hardware_version: 'Hardware version',
  software_type: 'Software type',
  software_version: 'Software version',
}

/** Longer names are cut off at their beginning, as on the command line. */
const MAX_NAME = 255

/** The server may have stored the file already. */
const STOPPED = 'The upload was stopped. Check the list for the file before you upload it again.'

interface Props {
  /** Kinds to choose from. */
  readonly kinds: readonly FileKind[]
  readonly onClose: () => void
}

/** Uploads one file, in two steps of the API: bytes, then what they are. */
export function UploadDialog({ kinds, onClose }: Props) {
  const { organizationSlug: organization, projectSlug: project } = useScope()
  const [kind, kindInput] = useInput<FileKind>(kinds[0] ?? 'coredump')
  const [file, setFile] = useState<File>()
  const [facts, setFacts] = useState(NOTHING)
  const [bytes, setBytes] = useState(0)
  const abortRef = useAbort()
  const isSymbols = kind === 'symbols'
  const names = (Object.keys(NOTHING) as (keyof Facts)[]).filter(
    (name) => !isSymbols || name.startsWith('software'),
  )
  const said = Object.fromEntries(
    names.map((name) => [name, facts[name].trim()] as const).filter(([, text]) => text !== ''),
  )
  const action = useAction(async () => {
    if (!file) return
    abortRef.current = new AbortController()
    setBytes(0)
    const { signal } = abortRef.current
    const device = isSymbols ? {} : said
    const token = await putBytes({ organization, project, file, kind, device, signal, onBytes: setBytes })
    const { software_version: version, software_type } = said
    await client.call(
      COMMITS[kind],
      {
        organization,
        project,
        file: { token, name: file.name.slice(-MAX_NAME) },
        ...(!isSymbols && Object.keys(said).length > 0 && { device: said }),
        ...(isSymbols && version !== undefined && { software_version: { version, software_type } }),
      },
      { signal },
    )
    onClose()
  })
  return (
    <Dialog
      title={isSymbols ? 'Upload symbols' : 'Upload a file'}
      isLocked={action.isPending}
      onClose={onClose}
    >
      <Form onSubmit={() => void action.run()}>
        {kinds.length > 1 && (
          <Select label="Kind" options={kinds.map((id) => ({ id, text: KIND_TEXTS[id] }))} {...kindInput} />
        )}
        {isSymbols && (
          <p className="quiet">
            An ELF file with a GNU build id, or with the build id of the firmware SDK. With a software version
            also an ELF file without a build id, or a ProGuard mapping.
          </p>
        )}
        <label className="field">
          <span className="label">File</span>
          <input
            className="input"
            type="file"
            disabled={action.isPending}
            onChange={({ target }) => setFile(target.files?.[0])}
          />
        </label>
        <div className="pair">
          {names.map((name) => (
            <Field
              key={name}
              label={`${LABELS[name]} (optional)`}
              name={name}
              maxLength={128}
              isDisabled={action.isPending}
              value={facts[name]}
              onChange={(text) => setFacts({ ...facts, [name]: text })}
            />
          ))}
        </div>
        {action.isPending && file && (
          <div className="stack-s">
            <progress max={file.size} value={bytes} aria-label="Uploaded so far" />
            <p className="quiet" role="status">
              {bytes < file.size ? `${size(bytes)} of ${size(file.size)}` : 'The server checks the file …'}
            </p>
          </div>
        )}
        {action.error instanceof UnreachableStorageError ? (
          <div className="notice bad" role="alert">
            <p>{action.error.message}</p>
          </div>
        ) : (
          <Problem error={action.error} />
        )}
        <UploadCommand kind={kind} name={file?.name} said={said} />
        <div className="actions">
          <Button
            onPress={() => {
              abortRef.current.abort(new UnreachableStorageError(STOPPED))
              if (!action.isPending) onClose()
            }}
          >
            {action.isPending ? 'Stop' : 'Cancel'}
          </Button>
          <Button look="primary" type="submit" isPending={action.isPending} isDisabled={!file}>
            Upload
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}

/** The command line uploads coredumps and symbols. */
function UploadCommand({
  kind,
  name = 'file',
  said,
}: {
  readonly kind: FileKind
  readonly name: string | undefined
  readonly said: Readonly<Record<string, string>>
}) {
  const { organizationSlug, projectSlug } = useScope()
  const start = `bearing --org ${organizationSlug} --project ${projectSlug}`
  if (kind === 'symbols') return <AsCommand bearing={`${start} symbols upload ${quoted(name)}`} />
  if (kind !== 'coredump' && kind !== 'elf_coredump') return null
  const flags = Object.entries(said).map(
    ([field, text]) =>
      ` --${field === 'device_serial' ? 'device' : field.replaceAll('_', '-')} ${quoted(text)}`,
  )
  return <AsCommand bearing={`${start} coredumps upload ${quoted(name)} --kind ${kind}${flags.join('')}`} />
}
