import { DAY_MS } from '@bearing/contracts/durations'
import { MAX_IMPORTED_LEGACY_TOKENS } from '@bearing/contracts/identity/legacy-token'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../ground/client.js'
import { projectsOf } from '../ground/queries.js'
import { useScope } from '../ground/scope.js'
import { useAction } from '../ground/use-action.js'
import { Check } from '../parts/choice.js'
import { AsCommand } from '../parts/command.js'
import { Dialog } from '../parts/dialog.js'
import { Field } from '../parts/field.js'
import { Form } from '../parts/form.js'
import { FormActions } from '../parts/form-actions.js'
import { Select } from '../parts/select.js'
import { hashesOf, UnusableTokens } from './hashes.js'

const ALL = 'all'
const KINDS = [
  { id: 'service', text: 'Service tokens' },
  { id: 'evaluation', text: 'Evaluation tokens' },
] as const
const USUAL_DAYS = 180

/** Imports hashes of tokens that are still in use. The tokens are hashed in the browser and not sent. */
export function ImportDialog({
  onImported,
  onClose,
}: {
  readonly onImported: (result: { readonly imported: number; readonly updated: number }) => void
  readonly onClose: () => void
}) {
  const { organizationSlug: organization } = useScope()
  const projects = useQuery(projectsOf(organization))
  const [text, setText] = useState('')
  const [isHashed, setHashed] = useState(false)
  const [mistake, setMistake] = useState<string>()
  const [kind, setKind] = useState<string>('service')
  const [project, setProject] = useState(ALL)
  const [sunset, setSunset] = useState(() =>
    new Date(Date.now() + USUAL_DAYS * DAY_MS).toISOString().slice(0, 10),
  )
  const projectSlug = projects.data?.find(({ id }) => id === project)?.slug
  const action = useAction(async () => {
    setMistake(undefined)
    let hashes: string[]
    try {
      hashes = await hashesOf(text, isHashed, MAX_IMPORTED_LEGACY_TOKENS)
    } catch (error) {
      if (!(error instanceof UnusableTokens)) throw error
      setMistake(error.message)
      return
    }
    const tokens = hashes.map((sha256) => ({
      sha256,
      kind: kind === 'evaluation' ? ('evaluation' as const) : ('service' as const),
      ...(project !== ALL && { project_id: project }),
    }))
    const sunset_at = `${sunset}T00:00:00Z`
    onImported(await client.call('importLegacyTokens', { organization, sunset_at, tokens }))
    onClose()
  })
  return (
    <Dialog title="Import legacy tokens" isOpen isLocked={action.isPending} onClose={onClose}>
      <Form error={action.error} onSubmit={() => void action.run()}>
        <p>
          They then ask for locations of this organization, and for nothing else, until the date. Importing a
          token again changes its date, and its project if one is chosen.
        </p>
        <Field
          label={isHashed ? 'Hashes, one per line' : 'Tokens, one per line'}
          name="tokens"
          isLong
          autoComplete="off"
          hint={isHashed ? 'SHA-256 in hexadecimal.' : 'Your browser sends their SHA-256 only.'}
          isRequired
          autoFocus
          value={text}
          onChange={setText}
        />
        {mistake !== undefined && (
          <p className="mistake" role="alert">
            {mistake}
          </p>
        )}
        <Check text="These are SHA-256 hashes already" isChecked={isHashed} onChange={setHashed} />
        <div className="pair">
          <Field
            label="Sunset, 0:00 UTC"
            name="sunset_at"
            type="date"
            isRequired
            value={sunset}
            onChange={setSunset}
          />
          <Select label="Kind" value={kind} onChange={setKind} options={KINDS} />
        </div>
        <Select
          label="Project"
          value={project}
          onChange={setProject}
          options={[
            { id: ALL, text: 'All projects' },
            ...(projects.data ?? []).map(({ id, name }) => ({ id, text: name })),
          ]}
        />
        <AsCommand
          bearing={`bearing --org ${organization} legacy-tokens import tokens.txt --sunset ${sunset} --kind ${kind}${isHashed ? ' --hashed' : ''}${projectSlug === undefined ? '' : ` --project ${projectSlug}`}`}
        />
        <FormActions action={action} onCancel={onClose}>
          Import
        </FormActions>
      </Form>
    </Dialog>
  )
}
