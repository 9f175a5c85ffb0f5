import { platformOf, WORKLOAD_PLATFORM_NAMES } from '@bearing/contracts/identity/workloads/workload-platforms'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { makeCall } from '../ground/calling.js'
import { installation, projectsOf } from '../ground/queries.js'
import { useScope } from '../ground/scope.js'
import { useAction } from '../ground/use-action.js'
import { Check } from '../parts/choice.js'
import { AsCommand, quoted } from '../parts/command.js'
import { Field } from '../parts/field.js'
import { FormDialog } from '../parts/form-dialog.js'
import { Select } from '../parts/select.js'
import { claimLines } from './derived-tokens.js'
import { isReachMissing, ReachChoice } from './reach-choice.js'
import {
  areClaims,
  draftOf,
  inputOf,
  isJson,
  keysIn,
  LIFETIMES,
  linesIn,
  type Draft,
  type Trust,
} from './trust-draft.js'

const PLATFORMS = WORKLOAD_PLATFORM_NAMES.map((id) => ({ id, text: platformOf(id).text }))
/** Creates a trust, or replaces one. */
export function TrustDialog({ trust, onClose }: { readonly trust?: Trust; readonly onClose: () => void }) {
  const { organizationSlug: organization } = useScope()
  const url = useQuery(installation).data?.public_url ?? ''
  const [draft, setDraft] = useState(() => draftOf(trust))
  const change = (fields: Partial<Draft>) => setDraft({ ...draft, ...fields })
  const input = inputOf(organization, url, draft)
  const action = useAction(async () => {
    const whole = { ...input, ...(draft.keys.trim() !== '' && { jwks: keysIn(draft.keys) }) }
    const changed = ['trusts', organization]
    await (trust
      ? makeCall('changeWorkloadTrust', { ...whole, trust_id: trust.id }, changed)
      : makeCall('createWorkloadTrust', whole, changed))
    onClose()
  })
  return (
    <FormDialog
      title={trust ? `Change ${trust.name}` : 'Create a trust'}
      verb={trust ? 'Replace' : 'Create'}
      action={action}
      isDisabled={isReachMissing(draft.reach)}
      onClose={onClose}
    >
      {trust && <p className="notice attention">The tokens that its workloads have now end immediately.</p>}
      <Workload draft={draft} audience={draft.audience ?? url} onChange={change} />
      <ReachChoice reach={draft.reach} onChange={(reach) => change({ reach })} />
      <Limits draft={draft} hadKeys={trust?.has_pasted_keys === true} onChange={change} />
      <Commands
        trust={trust}
        draft={draft}
        input={{ ...input, name: input.name || 'CI', audience: input.audience || url }}
      />
    </FormDialog>
  )
}

interface FieldsProps {
  readonly draft: Draft
  readonly onChange: (fields: Partial<Draft>) => void
}

/** Fields that say whose tokens are accepted. */
function Workload({ draft, audience, onChange }: FieldsProps & { readonly audience: string }) {
  const { issuer, immutable }: ReturnType<typeof platformOf> = platformOf(draft.platform)
  return (
    <>
      <Select
        label="Platform"
        value={draft.platform}
        onChange={(id) =>
          onChange({ platform: WORKLOAD_PLATFORM_NAMES.find((name) => name === id) ?? 'generic', issuer: '' })
        }
        options={PLATFORMS}
      />
      <Field
        label="Name"
        name="name"
        isRequired
        maxLength={128}
        value={draft.name}
        onChange={(name) => onChange({ name })}
      />
      <Field
        label={issuer === undefined ? 'Issuer' : 'Issuer (optional)'}
        name="issuer"
        type="url"
        isRequired={issuer === undefined}
        placeholder={issuer ?? 'https://issuer.example.com'}
        hint="The URL in “iss” of its tokens."
        value={draft.issuer}
        onChange={(text) => onChange({ issuer: text })}
      />
      <Field
        label="Audience"
        name="audience"
        isRequired
        maxLength={256}
        hint="The workload asks its platform for a token with this “aud”."
        value={audience}
        onChange={(text) => onChange({ audience: text })}
      />
      <Field
        label="Required claims"
        name="claims"
        isLong
        isRequired
        hint={claimHint(immutable)}
        validate={(text) => (areClaims(text) ? null : 'Give one name=value per line.')}
        value={linesIn(draft)}
        onChange={(claims) => onChange({ claims })}
      />
    </>
  )
}

/** Fields that limit its tokens, and how they are verified. */
function Limits({ draft, hadKeys, onChange }: FieldsProps & { readonly hadKeys: boolean }) {
  const { lifetime } = draft
  return (
    <>
      <Select
        label="Life of its tokens"
        value={lifetime}
        onChange={(id) => onChange({ lifetime: id })}
        options={
          LIFETIMES.some(({ id }) => id === lifetime)
            ? LIFETIMES
            : [{ id: lifetime, text: `${lifetime} seconds` }, ...LIFETIMES]
        }
      />
      <Check
        text="Accept each token of the platform once"
        hint="By its “jti”. A job that calls twice asks its platform for another one."
        isChecked={draft.isSingleUse}
        onChange={(isSingleUse) => onChange({ isSingleUse })}
      />
      <Field
        label="Networks that its tokens work from"
        name="allowed_addresses"
        hint="IP addresses and CIDR ranges. Left empty: anywhere."
        value={draft.networks}
        onChange={(networks) => onChange({ networks })}
      />
      <Field
        label="Public keys (optional)"
        name="jwks"
        isLong
        placeholder='{"keys": …}'
        hint={
          hadKeys
            ? 'Keys were pasted. Paste them again; left empty, Bearing reads them from the issuer.'
            : 'Only if Bearing cannot reach the issuer: the output of “kubectl get --raw /openid/v1/jwks”.'
        }
        validate={(text) => (text.trim() === '' || isJson(text) ? null : 'Paste the JSON of the keys.')}
        value={draft.keys}
        onChange={(keys) => onChange({ keys })}
      />
    </>
  )
}

function Commands({
  trust,
  draft,
  input,
}: {
  readonly trust: Trust | undefined
  readonly draft: Draft
  readonly input: ReturnType<typeof inputOf>
}) {
  const projects = useQuery(projectsOf(input.organization))
  const command = trust
    ? `bearing --org ${input.organization} trusts change ${trust.id}`
    : `bearing --org ${input.organization} trusts create`
  const slugOf = (wanted: string) => projects.data?.find(({ id }) => id === wanted)?.slug ?? wanted
  return (
    <AsCommand
      bearing={[
        `${command} --name ${quoted(input.name)}`,
        `  --platform ${input.platform} --audience ${quoted(input.audience)}`,
        ...(input.issuer === undefined ? [] : [`  --issuer ${quoted(input.issuer)}`]),
        ...(draft.keys.trim() === '' ? [] : ['  --jwks keys.json']),
        ...claimLines(input.claims).map((line) => `  --claim ${quoted(line)}`),
        ...input.permissions.map((permission) => `  --permission ${permission}`),
        ...(input.project_ids ?? []).map((id) => `  --project ${slugOf(id)}`),
        ...(input.allowed_addresses ?? []).map((network) => `  --allow-from ${quoted(network)}`),
        ...(draft.lifetime === '3600' ? ['  --lifetime 1h'] : []),
        ...(draft.isSingleUse ? ['  --single-use'] : []),
      ].join(' \\\n')}
      call={
        trust ? ['changeWorkloadTrust', { ...input, trust_id: trust.id }] : ['createWorkloadTrust', input]
      }
    />
  )
}

/** Says which claims a platform needs. */
function claimHint(immutable: readonly (readonly string[])[]): string {
  const needed =
    immutable.length === 0
      ? 'At least one with an exact value.'
      : `Needed with an exact value: ${immutable.map((group) => group.join(' and ')).join(', or ')}. These ids are never given to others; names can be registered again.`
  return `One name=value per line. ${needed} “*” stands for any characters except “/” and “:”.`
}
