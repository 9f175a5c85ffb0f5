import type { CallInput, CallOutput } from '@bearing/client/call-types'
import { platformOf, type WorkloadPlatform } from '@bearing/contracts/identity/workloads/workload-platforms'
import { claimLines } from './derived-tokens.js'
import { permissionsIn, projectsIn, reachOf, type Reach } from './reach-choice.js'

export type Trust = CallOutput<'listWorkloadTrusts'>['data'][number]
type Keys = NonNullable<CallInput<'createWorkloadTrust'>['jwks']>

/** Lives of tokens, in seconds, with the flag of the command line. */
export const LIFETIMES = [
  { id: '900', text: '15 minutes' },
  { id: '3600', text: '1 hour' },
] as const

/** A trust while it is typed. */
export interface Draft {
  readonly platform: WorkloadPlatform
  readonly name: string
  readonly issuer: string
  /** Undefined: nothing was typed, and this installation is suggested. */
  readonly audience: string | undefined
  /** Undefined: nothing was typed, and the ids of the platform are suggested. */
  readonly claims: string | undefined
  readonly reach: Reach
  readonly lifetime: string
  readonly isSingleUse: boolean
  readonly networks: string
  readonly keys: string
}

/** Returns the form of a trust, or of a new one. */
export function draftOf(trust: Trust | undefined): Draft {
  return {
    platform: trust?.platform ?? 'github',
    name: trust?.name ?? '',
    issuer: trust?.issuer ?? '',
    audience: trust?.audience,
    claims: trust && claimLines(trust.claims).join('\n'),
    reach: trust
      ? reachOf(trust.permissions, trust.project_ids)
      : { preset: 'ci-uploads', own: [], projectIds: undefined },
    lifetime: String(trust?.lifetime_seconds ?? LIFETIMES[0].id),
    isSingleUse: trust?.single_use ?? false,
    networks: trust?.allowed_addresses.join(' ') ?? '',
    keys: '',
  }
}

/**
 * Returns what the form asks for, without pasted keys.
 *
 * @param url address of this installation
 */
export function inputOf(organization: string, url: string, draft: Draft) {
  const projectIds = projectsIn(draft.reach)
  const issuer = draft.issuer.trim()
  const addresses = draft.networks.split(/[\s,]+/).filter((part) => part !== '')
  return {
    ...{
      organization,
      name: draft.name.trim(),
      platform: draft.platform,
      audience: (draft.audience ?? url).trim(),
    },
    ...(issuer !== '' && { issuer }),
    claims: claimsIn(linesIn(draft)),
    permissions: [...permissionsIn(draft.reach)],
    ...(projectIds && { project_ids: [...projectIds] }),
    ...(addresses.length > 0 && { allowed_addresses: addresses }),
    ...{ lifetime_seconds: Number(draft.lifetime), single_use: draft.isSingleUse },
  }
}

/** Returns the claims as lines: as they were typed, or the ids of the platform without values. */
export function linesIn({ claims, platform }: Draft): string {
  return claims ?? (platformOf(platform).immutable[0] ?? []).map((name) => `${name}=`).join('\n')
}

const CLAIM = /^([^=]+)=(.*)$/

export function areClaims(text: string): boolean {
  return linesOf(text).every((line) => (CLAIM.exec(line)?.[2] ?? '') !== '')
}

function claimsIn(text: string): Record<string, string> {
  return Object.fromEntries(
    linesOf(text).flatMap((line) => {
      const [, name = '', value = ''] = CLAIM.exec(line) ?? []
      return name === '' ? [] : [[name, value]]
    }),
  )
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** The server checks what is in it. */
export function keysIn(text: string): Keys {
  return JSON.parse(text) as Keys
}
