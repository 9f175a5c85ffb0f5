import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { client, wasAnswered } from '../ground/client.js'
import { installation, projectsOf } from '../ground/queries.js'
import { useScope } from '../ground/scope.js'
import { useAction } from '../ground/use-action.js'
import { Check, Choice } from '../parts/choice.js'
import { AsCommand, Command, quoted } from '../parts/command.js'
import { Dialog } from '../parts/dialog.js'
import { Field } from '../parts/field.js'
import { Form } from '../parts/form.js'
import { FormActions } from '../parts/form-actions.js'
import { Secret } from '../parts/secret.js'
import { EXPIRIES, ExpirySelect, expiryOf } from './expiry-select.js'
import { PermissionPreview } from './permission-preview.js'
import { permissionsOf, PRESETS } from './presets.js'
import type { Token } from './token-list.js'

interface Props {
  /** The tokens before: one that is there afterwards without an answer was created unseen. */
  readonly known: readonly Token[]
  readonly onUnseen: (tokens: readonly Token[]) => void
  readonly onClose: () => void
}

/** Creates a token. The same dialog then shows its secret, once. */
export function CreateTokenDialog({ known, onUnseen, onClose }: Props) {
  const { organizationSlug: organization } = useScope()
  const [description, setDescription] = useState('')
  const [presetId, setPresetId] = useState('locate')
  const [expiry, setExpiry] = useState<string>(EXPIRIES.year)
  const [projectIds, setProjectIds] = useState<readonly string[]>([])
  const [secret, setSecret] = useState<string>()
  const preset = PRESETS.find(({ id }) => id === presetId) ?? PRESETS[0]
  const action = useAction(async () => {
    const expires_at = expiryOf(expiry, Date.now())
    const input = {
      organization,
      description: description.trim(),
      ...(preset?.permissions && { permissions: [...preset.permissions] }),
      ...(projectIds.length > 0 && { project_ids: [...projectIds] }),
      ...(expires_at !== undefined && { expires_at }),
    }
    try {
      setSecret((await client.call('createOrganizationToken', input)).token)
    } catch (error) {
      if (!wasAnswered(error)) onUnseen(await unseenSince(known, organization, input.description))
      throw error
    }
  })
  return (
    <Dialog
      title={secret === undefined ? 'Create Token' : `The token “${description.trim()}”`}
      isOpen
      isLocked={action.isPending || secret !== undefined}
      onClose={onClose}
    >
      {secret !== undefined ? (
        <Secret secret={secret} of="the token" onSaved={onClose}>
          <TryIt />
        </Secret>
      ) : (
        <Form error={action.error} onSubmit={() => void action.run()}>
          <Field
            label="Description"
            name="description"
            hint="What it is for, such as the name of the pipeline. It is in the audit log too."
            isRequired
            autoFocus
            maxLength={256}
            value={description}
            onChange={setDescription}
          />
          <Choice label="What it may do" value={presetId} onChange={setPresetId} options={PRESETS} />
          {preset && <PermissionPreview permissions={permissionsOf(preset)} />}
          <ProjectChoice chosen={projectIds} onChange={setProjectIds} />
          <ExpirySelect value={expiry} onChange={setExpiry} />
          <AsCommand
            bearing={[
              `bearing --org ${organization} org-token create --description ${quoted(description || 'CI')}`,
              ...(preset?.permissions ?? []).map((permission) => `  --permission ${permission}`),
              ...(expiry === EXPIRIES.never ? [] : [`  --expires-in ${expiry}d`]),
            ].join(' \\\n')}
          />
          <FormActions action={action} onCancel={onClose}>
            {action.isPending ? 'Creating …' : 'Create Token'}
          </FormActions>
        </Form>
      )}
    </Dialog>
  )
}

/** What to do with a token, with a variable in place of the secret. */
function TryIt() {
  const { organizationSlug } = useScope()
  const config = useQuery(installation)
  return (
    <Command
      text={`curl --header "Authorization: Bearer $BEARING_ORG_TOKEN" \\\n  ${config.data?.public_url ?? ''}/api/v0/organizations/${organizationSlug}/projects`}
    />
  )
}

function ProjectChoice({
  chosen,
  onChange,
}: {
  readonly chosen: readonly string[]
  readonly onChange: (ids: readonly string[]) => void
}) {
  const { organizationSlug } = useScope()
  const projects = useQuery(projectsOf(organizationSlug))
  const [isBound, setBound] = useState(false)
  return (
    <>
      <Choice
        label="Projects that it reaches"
        value={isBound ? 'some' : 'all'}
        onChange={(value) => {
          setBound(value === 'some')
          onChange([])
        }}
        options={[
          { id: 'all', text: 'All projects', hint: 'Future ones too.' },
          { id: 'some', text: 'Only these' },
        ]}
      />
      {isBound &&
        projects.data?.map(({ id, name }) => (
          <Check
            key={id}
            text={name}
            isChecked={chosen.includes(id)}
            onChange={(isChecked) => {
              onChange(isChecked ? [...chosen, id] : chosen.filter((other) => other !== id))
            }}
          />
        ))}
    </>
  )
}

/** Returns what was created although no answer came. */
async function unseenSince(
  known: readonly Token[],
  organization: string,
  description: string,
): Promise<Token[]> {
  try {
    const { data } = await client.call('listOrganizationTokens', { organization, per_page: 1_000 })
    return data.filter(
      (token) => token.description === description && !known.some(({ id }) => id === token.id),
    )
  } catch {
    return [] // the list shows it when the connection is back
  }
}
