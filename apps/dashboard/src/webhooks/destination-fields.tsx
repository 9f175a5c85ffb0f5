import type { CallInput } from '@bearing/client/call-types'
import { useScope } from '../ground/scope.js'
import { Field } from '../parts/field.js'
import { Select } from '../parts/select.js'
import { KINDS } from './webhook.js'

/** Input for a destination. */
export interface DestinationDraft {
  readonly kind: (typeof KINDS)[number]['id']
  /** Region of a bucket, header of a project key. */
  readonly option: string
  readonly keyId: string
  readonly secret: string
  readonly source: (typeof SOURCES)[number]['id']
  readonly format: (typeof FORMATS)[number]['id']
  readonly lockDays: string
  readonly ca: string
}

const SOURCES = [
  { id: 'device_data', text: 'Everything that devices send' },
  { id: 'audit_log', text: 'The audit log', hint: 'Of the organization, from its first row.' },
] as const
const FORMATS = [
  { id: 'json', text: 'As in the export' },
  { id: 'ocsf', text: 'OCSF' },
] as const

export const NO_DESTINATION: DestinationDraft = {
  ...{ kind: 'webhook', option: '', keyId: '', secret: '' },
  ...{ source: 'device_data', format: 'json', lockDays: '', ca: '' },
}

/** Returns whether a destination receives the audit log. */
export function isSink({ kind, source }: DestinationDraft): boolean {
  return kind === 'syslog' || (source === 'audit_log' && (kind === 'ndjson' || kind === 's3'))
}

type Destination = NonNullable<CallInput<'createWebhook'>['destination']>

/** Returns a destination for calls; undefined for a plain webhook. */
export function destinationOf(draft: DestinationDraft): Destination | undefined {
  const { kind, option, keyId, secret, source, format, lockDays, ca } = draft
  const contents = isSink(draft) ? { source, format } : undefined
  switch (kind) {
    case 'webhook':
      return undefined
    case 'ndjson':
      return { kind, ...contents }
    case 's3':
      return {
        kind,
        region: option.trim(),
        access_key_id: keyId.trim(),
        secret_access_key: secret,
        ...contents,
        ...(contents && lockDays.trim() !== '' && { object_lock_days: Number(lockDays) }),
      }
    case 'syslog':
      return { kind, format, ...(ca.trim() !== '' && { ca_certificate: ca }) }
    case 'device_api':
      return { kind, project_key: secret, ...(option.trim() !== '' && { project_key_header: option.trim() }) }
  }
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
  const { refused } = useScope()
  const { kind } = draft
  const mayReadLog = !refused('audit-log:read')
  const set = (field: keyof DestinationDraft) => (text: string) => onChange({ ...draft, [field]: text })
  const about = KINDS.find(({ id }) => id === kind)
  const secret = { type: 'password', autoComplete: 'off', isRequired: true } as const
  return (
    <>
      <Select
        label="Destination"
        options={KINDS.filter(({ id }) => id !== 'syslog' || mayReadLog)}
        value={kind}
        onChange={(id) => onChange({ ...NO_DESTINATION, kind: id })}
      />
      {kind !== 'webhook' && <p className="quiet">{about?.hint}</p>}
      {mayReadLog && (kind === 'ndjson' || kind === 's3') && (
        <Select
          label="What it receives"
          options={SOURCES}
          value={draft.source}
          onChange={(source) => onChange({ ...draft, source })}
        />
      )}
      {isSink(draft) && (
        <Select
          label="Form"
          options={FORMATS}
          value={draft.format}
          onChange={(format) => onChange({ ...draft, format })}
        />
      )}
      {kind === 's3' && (
        <>
          <Field label="Region" name="region" isRequired value={draft.option} onChange={set('option')} />
          <Field label="Access key id" name="key" isRequired value={draft.keyId} onChange={set('keyId')} />
          <Field label="Secret access key" {...secret} value={draft.secret} onChange={set('secret')} />
          {isSink(draft) && (
            <Field
              label="Lock objects for days (optional)"
              name="lock"
              type="number"
              hint="They cannot be deleted before. The bucket must have object lock."
              value={draft.lockDays}
              onChange={set('lockDays')}
            />
          )}
        </>
      )}
      {kind === 'syslog' && (
        <Field
          label="CA certificate (optional)"
          name="ca"
          isLong
          hint="In PEM, if the CA of the receiver is not a public one."
          value={draft.ca}
          onChange={set('ca')}
        />
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
