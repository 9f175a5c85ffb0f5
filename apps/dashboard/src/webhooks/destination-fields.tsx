import type { CallInput } from '@bearing/client/call-types'
import { Field } from '../parts/field.js'
import { Select } from '../parts/select.js'
import { KINDS } from './webhook.js'

/** What is typed of a destination. */
export interface DestinationDraft {
  readonly kind: (typeof KINDS)[number]['id']
  /** Region of a bucket, header of a project key. */
  readonly option: string
  readonly keyId: string
  readonly secret: string
}

export const NO_DESTINATION: DestinationDraft = { kind: 'webhook', option: '', keyId: '', secret: '' }

type Destination = NonNullable<CallInput<'createWebhook'>['destination']>

/** Returns a destination for calls; undefined for a plain webhook. */
export function destinationOf({ kind, option, keyId, secret }: DestinationDraft): Destination | undefined {
  if (kind === 'webhook') return undefined
  if (kind === 'ndjson') return { kind }
  return kind === 's3'
    ? { kind, region: option.trim(), access_key_id: keyId.trim(), secret_access_key: secret }
    : { kind, project_key: secret, ...(option.trim() !== '' && { project_key_header: option.trim() }) }
}

/** Returns a draft without credentials, to be shown as a command. */
export function withoutCredentials(draft: DestinationDraft): DestinationDraft {
  return { ...draft, keyId: '<access key id>', secret: '<secret>' }
}

interface Props {
  readonly draft: DestinationDraft
  readonly onChange: (draft: DestinationDraft) => void
}

/** Chooses where the URL of a webhook leads. */
export function DestinationFields({ draft, onChange }: Props) {
  const { kind } = draft
  const set = (field: keyof DestinationDraft) => (text: string) => onChange({ ...draft, [field]: text })
  const about = KINDS.find(({ id }) => id === kind)
  const secret = { type: 'password', autoComplete: 'off', isRequired: true } as const
  return (
    <>
      <Select
        label="Destination"
        options={KINDS}
        value={kind}
        onChange={(id) => onChange({ ...NO_DESTINATION, kind: id })}
      />
      {kind !== 'webhook' && <p className="quiet">{about?.hint} It receives everything that devices send.</p>}
      {kind === 's3' && (
        <>
          <Field label="Region" name="region" isRequired value={draft.option} onChange={set('option')} />
          <Field label="Access key id" name="key" isRequired value={draft.keyId} onChange={set('keyId')} />
          <Field label="Secret access key" {...secret} value={draft.secret} onChange={set('secret')} />
        </>
      )}
      {kind === 'device_api' && (
        <>
          <Field
            label="Header of the project key"
            name="header"
            placeholder="Service-Project-Key"
            value={draft.option}
            onChange={set('option')}
          />
          <Field label="Project key there" {...secret} value={draft.secret} onChange={set('secret')} />
        </>
      )}
    </>
  )
}
