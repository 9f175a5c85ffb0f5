import {
  administers,
  DEFAULT_LIFETIME_DAYS,
  DEFAULT_PRESET,
} from '@bearing/contracts/identity/tokens/token-presets'
import type { Permission } from '@bearing/contracts/permission'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../ground/client.js'
import { installation, projectsOf, tokenPolicyOf } from '../ground/queries.js'
import { useScope } from '../ground/scope.js'
import { useAction } from '../ground/use-action.js'
import { useInput } from '../ground/use-input.js'
import { AsCommand, Command, quoted } from '../parts/command.js'
import { Field } from '../parts/field.js'
import { FormDialog } from '../parts/form-dialog.js'
import { EXPIRIES, ExpirySelect, expiryOf } from '../parts/lifetimes.js'
import { useSampleScan } from '../parts/sample-scan.js'
import { Secret } from '../parts/secret.js'
import { checkTokenCommand, listProjectsCommand, locateCommand } from '../parts/token-samples.js'
import { isReachMissing, permissionsIn, projectsIn, ReachChoice, type Reach } from './reach-choice.js'
import type { Token } from './token-list.js'
import { withUnseen } from './with-unseen.js'

interface Props {
  /** The tokens before: one that is there afterwards without an answer was created unseen. */
  readonly known: readonly Token[]
  readonly onUnseen: (tokens: readonly Token[]) => void
  readonly onClose: () => void
}

/** Creates a token. The same dialog then shows its secret, once. */
export function CreateTokenDialog({ known, onUnseen, onClose }: Props) {
  const { organizationSlug: organization } = useScope()
  const [description, descriptionInput] = useInput('')
  const [reach, setReach] = useState<Reach>({ preset: DEFAULT_PRESET, own: [], projectIds: undefined })
  const [expiry, expiryInput] = useInput<string>(String(DEFAULT_LIFETIME_DAYS))
  const projects = useQuery(projectsOf(organization))
  const [secret, setSecret] = useState<string>()
  const [networks, networksInput] = useInput('')
  const allowed = networks.split(/[\s,]+/).filter((part) => part !== '')
  const { preset, own } = reach
  const permissions = permissionsIn(reach)
  const isAdministration = administers(permissions)
  const reached = projectsIn(reach)
  const inputAt = (nowMs: number) => ({
    organization,
    description: description.trim(),
    ...(preset === undefined ? { permissions: [...own] } : preset !== DEFAULT_PRESET && { preset }),
    ...(reached && { project_ids: [...reached] }),
    expires_at: expiryOf(expiry, nowMs) ?? null,
    ...(allowed.length > 0 && { allowed_addresses: allowed }),
  })
  const [openedAt] = useState(() => Date.now())
  const action = useAction(async () => {
    const input = inputAt(Date.now())
    const isCreated = ({ id, description: of }: Token) =>
      of === input.description && !known.some((token) => token.id === id)
    const create = () => client.call('createOrganizationToken', input)
    setSecret((await withUnseen(organization, isCreated, onUnseen, create)).token)
  })
  return (
    <FormDialog
      title={secret === undefined ? 'Create Token' : `The token “${description.trim()}”`}
      action={action}
      verb={action.isPending ? 'Creating …' : 'Create Token'}
      isDisabled={isReachMissing(reach)}
      result={
        secret && (
          <Secret secret={secret} of="the token" onSaved={onClose}>
            <TryIt
              permissions={permissions}
              project={projects.data?.find(({ id }) => reached?.includes(id) ?? true)?.slug}
            />
          </Secret>
        )
      }
      onClose={onClose}
    >
      <Field
        label="Description"
        name="description"
        hint="What it is for, such as the name of the pipeline. It is in the audit log too."
        isRequired
        autoFocus
        maxLength={256}
        {...descriptionInput}
      />
      <ReachChoice reach={reach} onChange={setReach} />
      <ExpirySelect {...expiryInput} />
      <LifetimeRule expiry={expiry} isAdministration={isAdministration} />
      <Field
        label="Networks that it works from"
        name="allowed_addresses"
        hint="IP addresses and CIDR ranges, such as 203.0.113.7 2001:db8::/48. Left empty: anywhere."
        {...networksInput}
      />
      <AsCommand
        bearing={[
          `bearing --org ${organization} org-tokens create --description ${quoted(description || 'CI')}`,
          ...(preset === undefined
            ? own.map((permission) => `  --permission ${permission}`)
            : preset === DEFAULT_PRESET
              ? []
              : [`  --preset ${preset}`]),
          ...(reached ?? []).map(
            (chosen) => `  --project ${projects.data?.find(({ id }) => id === chosen)?.slug ?? chosen}`,
          ),
          `  --expires-in ${expiry === EXPIRIES.never ? expiry : `${expiry}d`}`,
          ...allowed.map((network) => `  --allow-from ${quoted(network)}`),
        ].join(' \\\n')}
        call={['createOrganizationToken', inputAt(openedAt)]}
      />
    </FormDialog>
  )
}

/** A request that this token may make, with a variable in place of the secret. */
function TryIt({
  permissions,
  project,
}: {
  readonly permissions: readonly Permission[]
  readonly project: string | undefined
}) {
  const { organizationSlug: organization } = useScope()
  const url = useQuery(installation).data?.public_url ?? ''
  const scan = useSampleScan()
  const locates = scan && project !== undefined && permissions.includes('location:resolve')
  const command = locates
    ? locateCommand(url, { organization, project }, scan)
    : permissions.includes('project:list')
      ? listProjectsCommand(url, organization)
      : checkTokenCommand(url)
  return <Command text={command} />
}

/** Says that a rule of the organization ends a token earlier than its form. */
function LifetimeRule({
  expiry,
  isAdministration,
}: {
  readonly expiry: string
  readonly isAdministration: boolean
}) {
  const { organizationSlug: organization, refused } = useScope()
  const policy = useQuery({
    ...tokenPolicyOf(organization),
    enabled: !refused('organization-token-policy:read'),
  })
  const ofAll = policy.data?.max_lifetime_days ?? null
  const ofAdministration = policy.data?.administration_max_lifetime_days ?? Infinity
  const days = isAdministration ? Math.min(ofAll ?? Infinity, ofAdministration) : ofAll
  if (isAdministration && policy.data?.administration === 'forbid')
    return (
      <p className="hint" role="status">
        A rule of the organization forbids tokens that administer.
      </p>
    )
  if (days === null || (expiry !== EXPIRIES.never && Number(expiry) <= days)) return null
  return (
    <p className="hint" role="status">
      A rule of the organization ends it after {days} {days === 1 ? 'day' : 'days'}.
    </p>
  )
}
